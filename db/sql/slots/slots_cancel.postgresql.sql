-- slots_cancel(keys, now) -> job_id, pid, hostname, ended
-- Does what on_conflict "cancel_running" says where a new job was blocked at this time and still is.
-- Of the new jobs of its key and class the last one remains. All others that wait, with or without a
-- slot, end as cancelled, but for those that are retried; notes for those that a process of ours
-- runs say that they are cancelled, too, but for what was noted before. Returns what has ended, and where the others run. After it
-- come slots_free and slots_admit for what has ended, in a transaction of their own, because other
-- keys of theirs are not locked.
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
