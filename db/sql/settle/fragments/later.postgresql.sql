-- Schedules the jobs of the runs in `ends` again for when they are `due`, with the payload that comes with
-- them.
changed AS (
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
