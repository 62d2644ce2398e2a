-- failed_without_group(most) -> jobs
-- Counts those of the last `most` failed jobs that have no error group.
-- read
-- rows
SELECT count(*)
FROM (SELECT f.job_id, f.error FROM solid_queue_failed_executions f ORDER BY f.id DESC LIMIT :most) e
WHERE {include:error_group_of} IS NULL;
