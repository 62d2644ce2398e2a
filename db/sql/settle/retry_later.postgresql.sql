-- retry_later(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims failed, and their jobs are to run again when they are `due`, with a
-- payload that counts this execution (without one with the payload they have). failures is as for
-- fail. A claim of a finished job just goes; one that is gone is not returned.
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'retried'}, changed AS (
	UPDATE solid_queue_jobs j SET arguments = COALESCE(ends.payload, j.arguments),
		scheduled_at = ends.due, updated_at = :now
	FROM ends
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM ends)) AND j.id = ends.job_id
		AND j.finished_at IS NULL
	RETURNING j.id, j.queue_name, j.priority, ends.due
), waiting AS (
	INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at,
		created_at)
	SELECT id, queue_name, priority, due, :now FROM changed
	{include:unless_there}
)
SELECT id, job_id, process_id, created_at FROM done;
