-- finish_and_delete(claims) -> claim_id
-- finish for preserve_finished_jobs: false: the jobs' rows go, and the claims with them.
-- rows
SELECT id FROM solid_queue_claimed_executions WHERE id IN (SELECT value FROM json_each(:claims));
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE id IN (SELECT value FROM json_each(:claims)));
