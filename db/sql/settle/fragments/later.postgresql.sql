-- Schedules the jobs of the runs in {it} again for when they are `due`, with the payload that comes with
-- them.
changed AS (
	UPDATE solid_queue_jobs j SET arguments = COALESCE({it}.payload, j.arguments),
		scheduled_at = {it}.due, updated_at = :now
	FROM {it}
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM {it})) AND j.id = {it}.job_id
		AND CASE WHEN j.finished_at IS NULL THEN true ELSE false END
	RETURNING j.id, j.queue_name, j.priority, {it}.due
), waiting AS (
	INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at,
		created_at)
	SELECT id, queue_name, priority, due, :now FROM changed
	{include:unless_there}
)
