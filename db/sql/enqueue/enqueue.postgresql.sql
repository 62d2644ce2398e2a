-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, later ones scheduled. None of
-- them is limited.
-- rows
WITH job AS (
	{include:insert_jobs}
	RETURNING id, queue_name, priority, scheduled_at
), ready AS (
	{include:ready_enqueued j.scheduled_at <= :now}
), scheduled AS (
	{include:schedule_enqueued}
)
SELECT id FROM job ORDER BY id;
