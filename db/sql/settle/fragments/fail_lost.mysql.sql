-- Fails the jobs of those of the lost runs whose outcome is that.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM {include:unfinished_runs}
WHERE x.outcome = 'failed'
{include:unless_there solid_queue_failed_executions}, error = VALUES(error)
