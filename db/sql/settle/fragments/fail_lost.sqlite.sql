-- Fails those of the jobs of the lost runs that were lost too often.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, f.value ->> 'error', :now
FROM {include:lost_runs 'failed'}
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
