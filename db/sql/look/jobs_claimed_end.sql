-- jobs_claimed_end(queue, class_name, key, text, since, until, after, before, limit) -> id, jobs
-- The oldest of what jobs_claimed lists, and how many jobs that are.
-- read
-- rows
SELECT min(id), count(*) FROM {include:newest_in claimed};
