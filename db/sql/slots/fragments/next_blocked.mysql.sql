-- Joins b, the blocked row that comes after n under n's key.
{include:first_blocked n.name AND f.priority >= n.priority AND (f.priority > n.priority OR f.job_id > n.job_id)}
