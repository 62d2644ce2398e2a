-- Those of the claims that :claims names whose jobs were cancelled (they are in `told` then): the jobs
-- are finished, and the history says by whom and why. lock_named comes first.
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
