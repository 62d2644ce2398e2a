-- Fails those of the lost jobs in @dray_lost that were lost too often.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM {include:lost_runs 'failed'}
{include:unless_there solid_queue_failed_executions}, error = VALUES(error)
