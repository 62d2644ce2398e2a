-- run_now(jobs, now, audit) -> job_id
-- Makes scheduled jobs due at once: they become ready, or blocked, until slots_admit, where they
-- are limited. `audit` is the line of the audit trail that counts them.
-- rows
WITH gone AS (
	DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), due AS (
	UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM gone))
	RETURNING id, queue_name, class_name, priority, concurrency_key
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM due WHERE concurrency_key IS NULL
	{include:unless_there}
), blocked AS (
	{include:insert_blocked}
	FROM due j
	{include:first_limit}
	WHERE j.concurrency_key IS NOT NULL
	ORDER BY j.id
	{include:unless_there}
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;
