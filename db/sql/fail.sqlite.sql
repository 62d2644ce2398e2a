-- fail(claims, failures, now) -> claim_id
-- Moves these claims' jobs to failed with their errors (failures: [{"claim_id", "error"}]). A claim
-- that is gone was given to somebody else: nothing is done for it and it is not returned.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, f.value ->> 'error', :now
FROM json_each(:failures) f
CROSS JOIN solid_queue_claimed_executions c ON c.id = (f.value ->> 'claim_id')
WHERE true
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error;
-- rows
DELETE FROM solid_queue_claimed_executions WHERE id IN (SELECT value FROM json_each(:claims))
RETURNING id;
