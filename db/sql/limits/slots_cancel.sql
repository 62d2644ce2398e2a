-- slots_cancel(keys, now) -> running, ended
-- Does what on_conflict "cancel_running" says where a new job was blocked at this time and still is.
-- Of the new jobs of its key and class the last one remains. All others that wait, with or without a
-- slot, end as cancelled, but for those that are retried; notes for those that a process of ours
-- runs say that they are cancelled, too, but for what was noted before. Returns what has ended, and where the others run. After it
-- come slots_free and slots_admit for what has ended, in a transaction of their own, because other
-- keys of theirs are not locked.

-- @mysql
-- guard
{include:find_latest};
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', o.job_id, 'by_job', o.by_job)) INTO @dray_old FROM (
	SELECT x.job_id, MAX(x.by_job) AS by_job FROM (
		SELECT s.job_id, latest.job_id AS by_job
		FROM {include:latest_slots} AND s.job_id <> latest.job_id
		STRAIGHT_JOIN solid_queue_ready_executions r
			FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = s.job_id
		UNION ALL
		SELECT b.job_id, latest.job_id
		FROM {include:latest}
		STRAIGHT_JOIN solid_queue_blocked_executions b
			FORCE INDEX (index_solid_queue_blocked_executions_for_release)
			ON b.concurrency_key = latest.name AND b.job_id <> latest.job_id
		STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY)
			ON j.id = b.job_id AND j.class_name = latest.class_name) x
	WHERE NOT {include:is_retried x.job_id}
	GROUP BY x.job_id
	ORDER BY x.job_id
	LIMIT 10000) o;
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', e.id, 'by_job', e.by_job)), JSON_ARRAYAGG(e.id)
INTO @dray_ended, @dray_jobs FROM (
	SELECT x.id, x.by_job
	FROM (SELECT DISTINCT z.id, z.by_job FROM JSON_TABLE(@dray_old, '$[*]' COLUMNS (
		id bigint PATH '$.id', by_job bigint PATH '$.by_job')) z) x
	LEFT JOIN solid_queue_ready_executions r
		FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = x.id
	LEFT JOIN solid_queue_blocked_executions b
		FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON b.job_id = x.id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
	WHERE COALESCE(r.id, b.id) IS NOT NULL AND {include:may_be_discarded}
	FOR UPDATE) e;
SELECT JSON_ARRAYAGG(e.id) INTO @dray_claims FROM (
	SELECT c.id
	FROM {include:latest_slots}
	STRAIGHT_JOIN solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = s.job_id
	FOR UPDATE) e;
DELETE e FROM {include:ids @dray_jobs} x STRAIGHT_JOIN {include:executions ready};
DELETE e FROM {include:ids @dray_jobs} x STRAIGHT_JOIN {include:executions blocked};
UPDATE {include:ids @dray_jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
SET j.finished_at = :now, j.updated_at = :now;
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT x.id, 0, 0, :now, :now, 'cancelled', JSON_OBJECT('exception_class', 'Dray::CancelledError',
	'message', CONCAT('cancelled by a newer job: job ', x.by_job), 'backtrace', NULL)
FROM JSON_TABLE(@dray_ended, '$[*]' COLUMNS (id bigint PATH '$.id', by_job bigint PATH '$.by_job')) x;
-- rows
SELECT x.id, NULL, NULL, 1 FROM {include:ids @dray_jobs} x
UNION ALL
SELECT c.job_id, p.pid, p.hostname, 0 FROM {include:running_ours} AND k.job_id IS NULL;
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, 'a newer job', CONCAT('job ', (
	SELECT MAX(latest.job_id) FROM {include:latest_slots} WHERE s.job_id = c.job_id))
FROM {include:running_ours} AND k.job_id IS NULL
{include:note_again};

-- @postgresql
WITH {include:latest}
SELECT r.id FROM solid_queue_ready_executions r
WHERE r.job_id = ANY (ARRAY(SELECT s.job_id FROM {include:slots_like latest}))
ORDER BY r.id
FOR UPDATE;
-- rows
WITH {include:latest}, old AS MATERIALIZED (
	SELECT x.job_id, max(x.by_job) AS by_job FROM (
		SELECT s.job_id, latest.job_id AS by_job
		FROM {include:slots_like latest} WHERE s.job_id <> latest.job_id
		UNION ALL
		SELECT w.job_id, latest.job_id
		FROM waiting w JOIN latest ON latest.concurrency_key = w.concurrency_key
			AND latest.class_name = w.class_name AND latest.job_id <> w.job_id) x
	WHERE NOT {include:is_retried x.job_id}
	GROUP BY x.job_id
), ready AS (
	DELETE FROM solid_queue_ready_executions
	WHERE job_id = ANY (ARRAY(SELECT job_id FROM old)) RETURNING job_id
), blocked AS (
	DELETE FROM solid_queue_blocked_executions
	WHERE job_id = ANY (ARRAY(SELECT job_id FROM old)) RETURNING job_id
), ended AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM ready UNION ALL SELECT job_id FROM blocked))
		AND finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = solid_queue_jobs.id)
	RETURNING id
), told AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
	SELECT ended.id, 0, 0, :now, :now, 'cancelled', json_build_object(
		'exception_class', 'Dray::CancelledError',
		'message', 'cancelled by a newer job: job ' || old.by_job, 'backtrace', NULL)::text
	FROM ended JOIN old ON old.job_id = ended.id
), held AS MATERIALIZED (
	SELECT c.id, c.job_id, c.process_id, p.pid, p.hostname, (
		SELECT max(latest.job_id) FROM {include:slots_like latest} WHERE s.job_id = c.job_id) AS by_job
	FROM {include:running_ours} AND k.job_id IS NULL
		AND c.job_id = ANY (ARRAY(SELECT s.job_id FROM {include:slots_like latest}))
	ORDER BY c.id
	FOR UPDATE OF c
), noted AS (
	INSERT INTO dray_cancellations AS known
		(job_id, claim_id, process_id, requested_at, requested_by, reason)
	SELECT job_id, id, process_id, :now, 'a newer job', 'job ' || by_job FROM held
	{include:note_again}
	WHERE known.claim_id <> excluded.claim_id
)
SELECT id, NULL::integer, NULL, 1 FROM ended
UNION ALL
SELECT job_id, pid, hostname, 0 FROM held;

-- @sqlite
-- guard
-- rows
WITH {include:latest}, {include:old}
SELECT job_id, NULL, NULL, 1 FROM old
UNION ALL
SELECT c.job_id, p.pid, p.hostname, 0
FROM {include:running_ours} AND k.job_id IS NULL
	AND c.job_id IN (SELECT s.job_id FROM {include:slots_like latest});
WITH {include:latest}
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, 'a newer job', 'job ' || (
	SELECT max(latest.job_id) FROM {include:slots_like latest} WHERE s.job_id = c.job_id)
FROM {include:running_ours} AND k.job_id IS NULL
	AND c.job_id IN (SELECT s.job_id FROM {include:slots_like latest})
{include:note_again};
WITH {include:latest}, {include:old}
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
WHERE +finished_at IS NULL AND id IN (SELECT job_id FROM old);
WITH {include:latest}, {include:old}
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT job_id, 0, 0, :now, :now, 'cancelled', json_object('exception_class', 'Dray::CancelledError',
	'message', 'cancelled by a newer job: job ' || by_job, 'backtrace', NULL)
FROM old;
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT s.job_id FROM json_each(:keys) k
	CROSS JOIN dray_slots s ON s.concurrency_key = (k.value ->> 'key')
	CROSS JOIN solid_queue_jobs j ON j.id = s.job_id AND +j.finished_at = :now);
DELETE FROM solid_queue_blocked_executions WHERE id IN (
	SELECT b.id FROM json_each(:keys) k
	CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = (k.value ->> 'key')
	CROSS JOIN solid_queue_jobs j ON j.id = b.job_id AND +j.finished_at = :now);
