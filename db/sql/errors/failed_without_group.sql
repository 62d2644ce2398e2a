-- failed_without_group(most) -> jobs
-- Counts those of the last `most` failed jobs whose history has no error group.
-- read
-- rows
SELECT count(*)
FROM (SELECT e.job_id FROM solid_queue_failed_executions e ORDER BY e.id DESC LIMIT :most) f
WHERE {include:error_group_of f.job_id} IS NULL;
