-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, or blocked, until slots_admit,
-- where they are limited; later ones become scheduled.
-- rows
WITH job AS (
	{include:insert_jobs}
	RETURNING id, queue_name, class_name, priority, scheduled_at, concurrency_key
), ready AS (
	{include:ready_enqueued j.scheduled_at <= :now AND j.concurrency_key IS NULL}
), blocked AS (
	{include:insert_blocked}
	FROM job j
	{include:first_limit}
	WHERE j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
	ORDER BY j.id
), scheduled AS (
	{include:schedule_enqueued}
)
SELECT id FROM job ORDER BY id;
