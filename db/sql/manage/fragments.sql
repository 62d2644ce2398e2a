-- What several operations of manage/ share (db/scripts/dialect.h).
-- columns running(job_id, pid, hostname)
-- list retry_row(job_id, arguments, executions)

-- @fragment add_told
-- Writes into the history by whom the told_runs were cancelled, and why.

-- @mysql
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT c.job_id, 0, c.id, c.created_at, :now, 'cancelled', JSON_OBJECT(
	'exception_class', 'Dray::CancelledError', 'message', {include:cancelled_by}, 'backtrace', NULL)
FROM {include:told_runs}

-- @sqlite
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT c.job_id, 0, c.id, c.created_at, :now, 'cancelled', json_object(
	'exception_class', 'Dray::CancelledError', 'message', {include:cancelled_by}, 'backtrace', NULL)
FROM {include:told_runs}

-- @fragment arranged
-- @mysql
-- The queue and the priority that are asked for, of the row {it}; null leaves what is there.
{it}.queue_name = COALESCE(:queue, {it}.queue_name), {it}.priority = COALESCE(:priority, {it}.priority)

-- @postgresql @sqlite
-- The queue and the priority that are asked for; null leaves what is there.
queue_name = COALESCE(:queue, queue_name), priority = COALESCE(:priority, priority)

-- @fragment audit_done
-- The line of the audit trail that says that {it} was done, once.
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ({it}, :target, :reason, :who, :host, 1, 'done', :now)

-- @fragment cancelled_by
-- What is said of the cancelled job of the note k: by whom, and why.

-- @mysql
CONCAT('cancelled by ', k.requested_by, COALESCE(CONCAT(': ', k.reason), ''))

-- @postgresql @sqlite
'cancelled by ' || k.requested_by || COALESCE(': ' || k.reason, '')

-- @fragment clearable
-- The oldest finished jobs, at most :limit, but for those that others lock.
SELECT id FROM solid_queue_jobs {index:index_solid_queue_jobs_on_finished_at}
WHERE finished_at < :before AND {include:is_clearable}
ORDER BY finished_at LIMIT :limit {skip_locked}

-- @fragment clearable_odd
-- Finished jobs whose time of finishing is none, at most :limit: a text ("never", "2026-13-01"), or
-- infinity, sorts behind the times of now, and its job would stay for long. On MySQL there is none.

-- @postgresql @sqlite
SELECT id FROM solid_queue_jobs
WHERE {include:finished_at_no_time} AND {include:is_clearable}
ORDER BY finished_at LIMIT :limit {skip_locked}

-- @fragment drop_ended
-- Drops the notes for the process of runs that have ended. One of a claim that is still there stays: who
-- finds that claim without its process ends its job.

-- @mysql
DELETE k
FROM dray_cancellations k FORCE INDEX (index_dray_cancellations_on_process_id)
LEFT JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY)
	ON c.id = k.claim_id AND c.job_id = k.job_id
WHERE k.process_id = :process_id AND c.id IS NULL

-- @postgresql @sqlite
DELETE FROM dray_cancellations
WHERE process_id = :process_id AND CASE WHEN EXISTS (
	SELECT 1 FROM solid_queue_claimed_executions c
	WHERE c.id = dray_cancellations.claim_id AND c.job_id = dray_cancellations.job_id)
	THEN false ELSE true END

-- @fragment drop_notes
-- Drops the notes of those of the claims that :claims names that are gone.

-- @sqlite
DELETE FROM dray_cancellations
WHERE job_id IN (SELECT value ->> 'job_id' FROM json_each(:claims))
	AND claim_id IN (SELECT value ->> 'id' FROM json_each(:claims)) AND NOT EXISTS (
		SELECT 1 FROM solid_queue_claimed_executions c
		WHERE c.id = dray_cancellations.claim_id AND c.job_id = dray_cancellations.job_id)

-- @fragment drop_told
-- @mysql
-- Drops the told_runs: their claims, and the notes.
DELETE c, k FROM {include:told_runs}

-- @sqlite
-- Drops the claims of the told_runs; their notes are of no run then.
DELETE FROM solid_queue_claimed_executions WHERE id IN (SELECT c.id FROM {include:told_runs})

-- @fragment end_told
-- Those of the claims that :claims names whose jobs were cancelled (they are in `told` then): the jobs
-- are finished, and the history says by whom and why. On PostgreSQL lock_named comes first.

-- @mysql @sqlite
{include:finish_told};
{include:add_told};
{include:drop_told}

-- @postgresql
WITH named AS MATERIALIZED (
	SELECT x.* FROM json_to_recordset(:claims::json) AS x(
		id bigint, job_id bigint, process_id bigint, created_at timestamp)
), held AS MATERIALIZED (
	SELECT c.id, c.job_id, c.process_id, c.created_at FROM solid_queue_claimed_executions c
	WHERE c.id = ANY (ARRAY(SELECT id FROM named))
		AND CASE WHEN (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at)
			IN (SELECT id, job_id, process_id, created_at FROM named)
			THEN true ELSE false END
), told AS (
	DELETE FROM dray_cancellations k USING held
	WHERE k.job_id = ANY (ARRAY(SELECT job_id FROM held))
		AND k.job_id = held.job_id AND k.claim_id = held.id
	RETURNING held.*, {include:cancelled_by} AS message
), dropped AS (
	DELETE FROM solid_queue_claimed_executions WHERE id = ANY (ARRAY(SELECT id FROM told))
), ended AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM told))
		AND CASE WHEN finished_at IS NULL THEN true ELSE false END
), attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
	SELECT job_id, 0, id, created_at, :now, 'cancelled', json_build_object(
		'exception_class', 'Dray::CancelledError', 'message', message, 'backtrace', NULL)::text
	FROM told
)
SELECT id, job_id, process_id, created_at, message FROM told

-- @fragment failed_jobs
-- The failed ones f of :jobs ([{"job_id"}]), each with its job j.

-- @mysql
JSON_TABLE(:jobs, '$[*]' COLUMNS (job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = x.job_id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = f.job_id

-- @fragment find_latest
-- Finds the jobs that make others of their key and class end: @dray_latest. Where one that is new waits,
-- that is the last one that is new, which may have a slot of this time. The same goes for its further keys
-- that are full, unless it ends itself for a newer one.

-- @mysql
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', found.concurrency_key, 'class_name', found.class_name,
	'job_id', found.job_id)) INTO @dray_latest FROM (
	WITH waiting AS (
		{include:conflicting}
	), fresh AS (
		SELECT w.concurrency_key, w.class_name, MAX(w.job_id) AS job_id FROM waiting w
		WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
			AND NOT {include:was_tried w.job_id}
			AND NOT {include:is_undecided w}
		GROUP BY w.concurrency_key, w.class_name
	), further AS (
		{include:further_full}
	), wanted AS (
		SELECT concurrency_key, class_name, job_id FROM fresh
		UNION ALL
		SELECT also.concurrency_key, also.class_name, also.job_id FROM further also
		WHERE NOT EXISTS (SELECT 1 FROM further newer
			WHERE newer.concurrency_key = also.own AND newer.class_name = also.class_name
				AND newer.job_id > also.job_id)
	)
	SELECT wanted.concurrency_key, wanted.class_name, GREATEST(MAX(wanted.job_id), COALESCE((
		SELECT MAX(s.job_id) FROM dray_slots s FORCE INDEX (PRIMARY)
		WHERE s.concurrency_key = wanted.concurrency_key AND s.class_name = wanted.class_name
			AND s.created_at = :now AND NOT {include:was_tried s.job_id}), 0)) AS job_id
	FROM wanted GROUP BY wanted.concurrency_key, wanted.class_name) found
HAVING COUNT(*) > 0

-- @fragment finish_told
-- Finishes the jobs of the told_runs.

-- @mysql
UPDATE {include:told_runs}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
SET j.finished_at = :now, j.updated_at = :now

-- @sqlite
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
WHERE +finished_at IS NULL AND id IN (SELECT c.job_id FROM {include:told_runs})

-- @fragment finished_at_no_time
-- @mysql
-- The time of finishing is none, and sorts behind those of now: there is none of these.
finished_at > '9999-12-31 23:59:59.999999'

-- @postgresql
-- The time of finishing is none, and sorts behind those of now.
finished_at = 'infinity'

-- @sqlite
-- The time of finishing is none, and sorts behind those of now. In another form (with a T, or a zone)
-- a time may stand up to a day and a zone behind itself: such a one is old when its day is.
finished_at >= strftime('%Y-%m-%d', 'now', '+2 days') AND {include:time_is_odd finished_at}

-- @fragment further_full
-- The further keys of the jobs in `fresh` that are full, where their limits cancel, too, beside the key they
-- wait for; not of those that end for a newer one that has a slot.

-- @mysql
SELECT f.`key` AS concurrency_key, fresh.class_name, fresh.job_id, fresh.concurrency_key AS own
FROM fresh
STRAIGHT_JOIN dray_keys n FORCE INDEX (PRIMARY) ON n.job_id = fresh.job_id
STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = fresh.class_name AND l.position = n.position AND l.on_conflict = 'cancel_running'
STRAIGHT_JOIN solid_queue_semaphores f FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON f.`key` = n.concurrency_key AND f.value <= 0
WHERE NOT EXISTS (SELECT 1 FROM dray_slots s FORCE INDEX (PRIMARY)
	WHERE s.concurrency_key = fresh.concurrency_key AND s.class_name = fresh.class_name
		AND s.job_id > fresh.job_id AND s.created_at = :now AND NOT {include:was_tried s.job_id})

-- @postgresql @sqlite
SELECT n.concurrency_key, fresh.class_name, fresh.job_id, fresh.concurrency_key AS own
FROM fresh JOIN dray_keys n ON n.job_id = fresh.job_id
JOIN dray_classes l ON l.class_name = fresh.class_name AND l.position = n.position
	AND l.on_conflict = 'cancel_running'
JOIN solid_queue_semaphores f ON f.key = n.concurrency_key AND f.value <= 0
WHERE NOT EXISTS (SELECT 1 FROM dray_slots s
	WHERE s.concurrency_key = fresh.concurrency_key AND s.class_name = fresh.class_name
		AND s.job_id > fresh.job_id AND s.created_at = :now AND NOT {include:was_tried s.job_id})

-- @fragment is_clearable
-- The finished job is one of :class_name and :queue, and not set aside.
{include:is_of_class class_name} AND (queue_name = :queue OR :queue IS NULL)
	AND {include:is_not_set_aside solid_queue_jobs.id}

-- @fragment is_undecided
-- The job {it}.job_id needs several keys and waits under one that has a free slot: slots_follow decides.

-- @mysql
((SELECT m.job_id FROM dray_keys m FORCE INDEX (PRIMARY) WHERE m.job_id = {it}.job_id LIMIT 1) IS NOT NULL
	AND (SELECT f.value FROM solid_queue_semaphores f
		FORCE INDEX (index_solid_queue_semaphores_on_key) WHERE f.`key` = {it}.concurrency_key) > 0)

-- @postgresql @sqlite
((SELECT m.job_id FROM dray_keys m WHERE m.job_id = {it}.job_id LIMIT 1) IS NOT NULL
	AND (SELECT f.value FROM solid_queue_semaphores f WHERE f.key = {it}.concurrency_key) > 0)

-- @fragment latest
-- @mysql
-- What find_latest has found, as a table; DISTINCT because MySQL cannot lock what JSON_TABLE stands beside.
(SELECT DISTINCT z.name, z.class_name, z.job_id FROM JSON_TABLE(@dray_latest, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', class_name varchar(255) {as_jobs} PATH '$.class_name',
	job_id bigint PATH '$.job_id')) z) latest

-- @postgresql @sqlite
-- The jobs that make others of their key and class end (`latest`); begins with what waits. Where one that
-- is new waits, that is the last one that is new, which may have a slot of this time. The same goes for its
-- further keys that are full, unless it ends itself for a newer one.
waiting AS MATERIALIZED (
	{include:conflicting}
), fresh AS MATERIALIZED (
	SELECT w.concurrency_key, w.class_name, max(w.job_id) AS job_id FROM waiting w
	WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
		AND NOT {include:was_tried w.job_id}
		AND NOT {include:is_undecided w}
	GROUP BY w.concurrency_key, w.class_name
), further AS MATERIALIZED (
	{include:further_full}
), wanted AS MATERIALIZED (
	SELECT concurrency_key, class_name, job_id FROM fresh
	UNION ALL
	SELECT also.concurrency_key, also.class_name, also.job_id FROM further also
	WHERE NOT EXISTS (SELECT 1 FROM further newer
		WHERE newer.concurrency_key = also.own AND newer.class_name = also.class_name
			AND newer.job_id > also.job_id)
), latest AS MATERIALIZED (
	SELECT x.concurrency_key, x.class_name, max(x.job_id) AS job_id FROM (
		SELECT concurrency_key, class_name, job_id FROM wanted
		UNION ALL
		SELECT wanted.concurrency_key, wanted.class_name, s.job_id FROM {include:slots_like wanted}
		WHERE s.created_at = :now AND NOT {include:was_tried s.job_id}) x
	GROUP BY x.concurrency_key, x.class_name
)

-- @fragment latest_slots
-- The slots s that jobs hold of the keys and classes of the jobs in `latest`.

-- @mysql
{include:latest}
STRAIGHT_JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = latest.name AND s.class_name = latest.class_name

-- @fragment lock_named
-- Locks those of the claims that :claims names that are still there: the statements that follow see the
-- notes of all that were cancelled.

-- @postgresql
SELECT id FROM solid_queue_claimed_executions
WHERE id = ANY (ARRAY(SELECT x.id FROM json_to_recordset(:claims::json) AS x(id bigint)))
ORDER BY id
FOR UPDATE

-- @fragment may_be_discarded
-- The job j is neither finished nor in progress.

-- @mysql
j.finished_at IS NULL
AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL

-- @fragment note_again
-- Where an earlier run of the job was cancelled, its note becomes this one.

-- @mysql
ON DUPLICATE KEY UPDATE
	claim_id = VALUES(claim_id), process_id = VALUES(process_id),
	requested_at = VALUES(requested_at), requested_by = VALUES(requested_by),
	reason = VALUES(reason)

-- @postgresql @sqlite
ON CONFLICT (job_id) DO UPDATE SET claim_id = excluded.claim_id,
	process_id = excluded.process_id, requested_at = excluded.requested_at,
	requested_by = excluded.requested_by, reason = excluded.reason

-- @fragment old
-- The jobs that wait and make room for those in `latest`, each with one of these.

-- @sqlite
old AS MATERIALIZED (
	SELECT x.job_id, max(x.by_job) AS by_job FROM (
		SELECT s.job_id, latest.job_id AS by_job
		FROM {include:slots_like latest} AND s.job_id <> latest.job_id
		JOIN solid_queue_ready_executions r ON r.job_id = s.job_id
		UNION ALL
		SELECT w.job_id, latest.job_id
		FROM waiting w JOIN latest ON latest.concurrency_key = w.concurrency_key
			AND latest.class_name = w.class_name AND latest.job_id <> w.job_id) x
	WHERE NOT {include:is_retried x.job_id}
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = x.job_id)
	GROUP BY x.job_id
)

-- @fragment running_ours
-- @mysql
-- The claims c of @dray_claims whose process p stops what is cancelled, or is gone, so that it is we who
-- find what it left. k is the note that this run is cancelled, if any.
{include:ids @dray_claims} x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
LEFT JOIN solid_queue_processes p FORCE INDEX (PRIMARY) ON p.id = c.process_id
LEFT JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id AND k.claim_id = c.id
WHERE (p.id IS NULL OR p.metadata LIKE '%"cancels":true%')

-- @postgresql @sqlite
-- The claims c whose process p stops what is cancelled, or is gone, so that it is we who find what it left.
-- k is the note that this run is cancelled, if any.
solid_queue_claimed_executions c LEFT JOIN solid_queue_processes p ON p.id = c.process_id
	LEFT JOIN dray_cancellations k ON k.job_id = c.job_id AND k.claim_id = c.id
WHERE (p.id IS NULL OR p.metadata LIKE '%"cancels":true%')

-- @fragment slots_like
-- The slots s that jobs hold of the keys and classes of the jobs in {it}.

-- @postgresql
{it} CROSS JOIN LATERAL (
	SELECT taken.job_id, taken.created_at FROM dray_slots taken
	WHERE taken.concurrency_key = {it}.concurrency_key AND taken.class_name = {it}.class_name OFFSET 0) s

-- @sqlite
{it} CROSS JOIN dray_slots s
	ON s.concurrency_key = {it}.concurrency_key AND s.class_name = {it}.class_name

-- @fragment told_runs
-- The notes k of cancelled jobs, each with its claim c, of the claims that :claims names.

-- @mysql
{include:named_claims}
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id AND k.claim_id = c.id

-- @sqlite
solid_queue_claimed_executions c CROSS JOIN dray_cancellations k ON k.job_id = c.job_id AND k.claim_id = c.id
WHERE {include:claim_is_named}

-- @fragment waits
-- The job j is one of these, and is ready, scheduled or blocked, and nothing else. The + keeps SQLite
-- from starting at the index on finished_at.

-- @sqlite
j.id {in:jobs} AND +j.finished_at IS NULL
AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = j.id)
	OR EXISTS (SELECT 1 FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id)
	OR EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id))
AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = j.id)
