-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, or blocked, until slots_admit,
-- where they are limited; later ones become scheduled.

-- @mysql
{include:insert_jobs};
{include:find_enqueued};
{include:ready_enqueued j.scheduled_at <= :now AND j.concurrency_key IS NULL};
{include:insert_blocked}
FROM {include:enqueued_jobs}
{include:first_limit}
WHERE j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};

-- @postgresql
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

-- @sqlite
{include:insert_jobs};
{include:ready_enqueued j.scheduled_at <= :now AND j.concurrency_key IS NULL};
{include:insert_blocked}
FROM solid_queue_jobs j
{include:first_limit}
WHERE {include:j_is_enqueued} AND j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
ORDER BY j.id;
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};
