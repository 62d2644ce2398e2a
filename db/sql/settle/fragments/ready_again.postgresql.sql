-- Makes the unfinished jobs of the claims in `done` ready again.
{include:insert_ready}
FROM done {include:job_of done.job_id AND finished_at IS NULL}
{include:unless_there}
