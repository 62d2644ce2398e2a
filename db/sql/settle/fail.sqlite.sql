-- fail(claims, failures, now) -> claim_id, job_id, process_id, claimed_at
-- Moves these claims' jobs to failed, each with its error; failures: those of claims, each with
-- its error. A claim that is gone was given to another process, also when its number stands for
-- another claim now: nothing is done for it, and it is not returned.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, f.value ->> 'error', :now
FROM json_each(:failures) f
CROSS JOIN solid_queue_claimed_executions c ON c.id = (f.value ->> 'id')
	AND c.job_id = (f.value ->> 'job_id') AND COALESCE(c.process_id, 0) = (f.value ->> 'process_id')
	AND c.created_at = (f.value ->> 'created_at')
WHERE true
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error;
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
