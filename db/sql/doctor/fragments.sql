-- What several operations of doctor/ share (db/scripts/dialect.h).
-- columns ailing(id, what, value)

-- @fragment delete_strays
-- Deletes the {it} executions of those of these jobs that do not exist or are finished.

-- @mysql
{include:delete_executions {it}}
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL

-- @postgresql @sqlite
{include:delete_executions {it}} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_{it}_executions.job_id AND j.finished_at IS NULL)

-- @fragment drop_kept
-- @mysql
-- Deletes the {it} executions of the jobs in @dray_kept, which stay in another table.
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN {include:executions {it}}

-- @postgresql
-- Deletes the {it} executions of the jobs that keep has locked elsewhere.
DELETE FROM solid_queue_{it}_executions WHERE job_id = ANY (ARRAY(SELECT job_id FROM kept))

-- @fragment further_on
-- The job of the row e is also in the table of {it} executions.

-- @sqlite
EXISTS (SELECT 1 FROM solid_queue_{it}_executions WHERE job_id = e.job_id)

-- @fragment highest_id
-- The table {it} and the highest number of its rows.

-- @postgresql
(SELECT tableoid AS relation, id AS most FROM {it} ORDER BY id DESC LIMIT 1)

-- @fragment keep
-- @mysql
-- Locks the {it} executions of these jobs and adds their jobs to @dray_kept, which stay in that
-- table.
SELECT JSON_MERGE_PRESERVE(COALESCE(@dray_kept, '[]'), COALESCE(JSON_ARRAYAGG(kept.job_id), '[]'))
INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} x
	STRAIGHT_JOIN {include:executions {it}}
	FOR UPDATE) kept

-- @postgresql
-- Locks the {it} executions of these jobs: their jobs stay in that table.
kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_{it}_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
)

-- @fragment sequences_behind
-- The sequences that will give out a number that a row of their table has: where each of them
-- stands, and the highest number there is.

-- @postgresql
(
	SELECT q.sequence, q.most, COALESCE(pg_sequence_last_value(q.sequence), 0) AS value
	FROM (
		SELECT pg_get_serial_sequence(t.relation::regclass::text, 'id')::regclass AS sequence, t.most
		FROM (
			{include:highest_id solid_queue_jobs}
			UNION ALL
			{include:highest_id solid_queue_ready_executions}
			UNION ALL
			{include:highest_id solid_queue_claimed_executions}
			UNION ALL
			{include:highest_id solid_queue_scheduled_executions}
			UNION ALL
			{include:highest_id solid_queue_blocked_executions}
			UNION ALL
			{include:highest_id solid_queue_failed_executions}
			UNION ALL
			{include:highest_id solid_queue_semaphores}
			UNION ALL
			{include:highest_id solid_queue_processes}
			UNION ALL
			{include:highest_id solid_queue_pauses}
			UNION ALL
			{include:highest_id solid_queue_recurring_tasks}
			UNION ALL
			{include:highest_id solid_queue_recurring_executions}
			UNION ALL
			{include:highest_id dray_audit}
			UNION ALL
			{include:highest_id dray_gone}
			UNION ALL
			{include:highest_id dray_attempts}
		) t
		WHERE t.most > 0
	) q
	WHERE CASE WHEN has_sequence_privilege(q.sequence, 'select, usage')
		THEN COALESCE(pg_sequence_last_value(q.sequence), 0) < q.most END
)

-- @fragment time_is_odd
-- @mysql
-- The time {it} does not mean what comparing it comes to: it is a date of zeros.
{it} < '1000-01-01 00:00:00'

-- @postgresql
-- The time {it} does not mean what comparing it comes to: it is infinite.
NOT isfinite({it})

-- @sqlite
-- The time {it} does not mean what comparing it comes to: it does not have the form that Rails
-- writes.
{it} IS NOT NULL AND NOT (
	datetime(substr({it}, 1, 19)) IS substr({it}, 1, 19)
	AND substr({it}, 20) NOT GLOB '*[^0-9.]*')

-- @fragment time_read
-- The time {it} in the form that Rails writes, as far as SQLite reads it as a time (a number is
-- seconds since 1970, or a Julian day), or else :now.

-- @sqlite
COALESCE((
	SELECT replace(read.time || '000', '.000000', '') FROM (
		SELECT CASE WHEN typeof({it}) IN ('integer', 'real')
			THEN strftime('%Y-%m-%d %H:%M:%f', {it}, 'auto')
			ELSE strftime('%Y-%m-%d %H:%M:%f', {it}) END AS time) read
	WHERE read.time >= '0'), :now)
