-- finish_and_delete(claims) -> claim_id, job_id, process_id, claimed_at
-- finish for preserve_finished_jobs: false: the jobs' rows go, and the claims with them.
-- rows
SELECT id, job_id, process_id, created_at
FROM solid_queue_claimed_executions
WHERE id IN (SELECT value ->> 'id' FROM json_each(:claims))
	AND (id, job_id, COALESCE(process_id, 0), created_at) IN (
		SELECT value ->> 'id', value ->> 'job_id', value ->> 'process_id',
			value ->> 'created_at'
		FROM json_each(:claims));
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE id IN (SELECT value ->> 'id' FROM json_each(:claims))
		AND (id, job_id, COALESCE(process_id, 0), created_at) IN (
			SELECT value ->> 'id', value ->> 'job_id', value ->> 'process_id',
				value ->> 'created_at'
			FROM json_each(:claims)));
