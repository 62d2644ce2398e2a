-- mend_nowhere(jobs, now) ->

-- @mysql
-- Makes unfinished jobs that are in no table ready. One whose time is still to come becomes
-- scheduled, and so does one that is limited by a key: dispatching asks for its slot. Two
-- doctors take turns by the job's lock, and the second, whose next statement looks anew, finds
-- the job mended.
-- guard
SELECT j.id
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
FOR UPDATE;
SELECT JSON_ARRAYAGG(lost.id) INTO @dray_lost FROM (
	SELECT j.id
	FROM {include:ids :jobs} x
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
	WHERE j.finished_at IS NULL
		AND (SELECT r.id FROM solid_queue_ready_executions r WHERE r.job_id = j.id) IS NULL
		AND (SELECT s.id FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id) IS NULL
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL
		AND (SELECT b.id FROM solid_queue_blocked_executions b WHERE b.job_id = j.id) IS NULL
		AND (SELECT f.id FROM solid_queue_failed_executions f WHERE f.job_id = j.id) IS NULL) lost;
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, COALESCE(j.scheduled_at, :now), :now
FROM {include:ids @dray_lost} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.scheduled_at > :now OR j.concurrency_key IS NOT NULL
{include:unless_there solid_queue_scheduled_executions};
{include:insert_ready}
FROM {include:ids @dray_lost} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE (j.scheduled_at <= :now OR j.scheduled_at IS NULL) AND j.concurrency_key IS NULL
{include:unless_there solid_queue_ready_executions};

-- @postgresql
-- Makes unfinished jobs that are in no table ready. One whose time is still to come becomes
-- scheduled, and so does one that is limited by a key: dispatching asks for its slot. Two
-- doctors take turns by the job's lock, and the second, whose next statement looks anew, finds
-- the job mended.
SELECT id FROM solid_queue_jobs WHERE id = ANY (:jobs::bigint[]) ORDER BY id FOR UPDATE;
WITH lost AS (
	SELECT j.id, j.queue_name, j.priority, j.scheduled_at,
		j.concurrency_key IS NOT NULL OR COALESCE(j.scheduled_at > :now, false) AS waits
	FROM solid_queue_jobs j
	WHERE j.id = ANY (:jobs::bigint[]) AND j.finished_at IS NULL
		AND (SELECT r.id FROM solid_queue_ready_executions r WHERE r.job_id = j.id) IS NULL
		AND (SELECT s.id FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id) IS NULL
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL
		AND (SELECT b.id FROM solid_queue_blocked_executions b WHERE b.job_id = j.id) IS NULL
		AND (SELECT f.id FROM solid_queue_failed_executions f WHERE f.job_id = j.id) IS NULL
), scheduled AS (
	INSERT INTO solid_queue_scheduled_executions
		(job_id, queue_name, priority, scheduled_at, created_at)
	SELECT id, queue_name, priority, COALESCE(scheduled_at, :now), :now FROM lost WHERE waits
	{include:unless_there}
)
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT id, queue_name, priority, :now FROM lost WHERE NOT waits
{include:unless_there};

-- @sqlite
-- Makes unfinished jobs that are in no table ready. One whose time is still to come becomes
-- scheduled, and so does one that is limited by a key: dispatching asks for its slot.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, COALESCE(j.scheduled_at, :now), :now
FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.finished_at IS NULL
	AND (j.scheduled_at > :now OR j.concurrency_key IS NOT NULL)
	AND {include:neither_runs_nor_is_ready j.id}
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)
{include:unless_there};
{include:insert_ready}
FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)
{include:unless_there};
