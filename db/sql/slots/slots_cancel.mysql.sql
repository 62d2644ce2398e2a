-- slots_cancel(keys, now) -> job_id, pid, hostname, ended
-- Does what on_conflict "cancel_running" says where a new job was blocked at this time and still is.
-- Of the new jobs of its key and class the last one remains. All others that wait, with or without a
-- slot, end as cancelled, but for those that are retried; notes for those that a process of ours
-- runs say that they are cancelled, too, but for what was noted before. Returns what has ended, and where the others run. After it
-- come slots_free and slots_admit for what has ended, in a transaction of their own, because other
-- keys of theirs are not locked.
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
