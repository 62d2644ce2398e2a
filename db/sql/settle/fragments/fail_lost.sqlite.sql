-- Fails the jobs of those of the lost runs whose outcome is that.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, f.value ->> 'error', :now
FROM {include:unfinished_runs}
WHERE f.value ->> 'outcome' = 'failed'
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
