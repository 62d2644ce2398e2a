-- finish(claims, now) -> claim_id
-- Marks the jobs of these claims finished and drops the claims. A claim that is gone was given to
-- somebody else: nothing is done for it and it is not returned.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE id IN (SELECT value FROM json_each(:claims)));
-- rows
DELETE FROM solid_queue_claimed_executions WHERE id IN (SELECT value FROM json_each(:claims))
RETURNING id;
