-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, later ones scheduled. None of
-- them is limited.

-- @mysql
{include:insert_jobs};
{include:find_enqueued};
{include:ready_enqueued j.scheduled_at <= :now};
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};

-- @postgresql
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

-- @sqlite
{include:insert_jobs};
{include:ready_enqueued j.scheduled_at <= :now};
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};
