-- mend_beyond(jobs, now) ->
-- Makes jobs that are ready without a slot of ours scheduled and due: dispatching asks for a
-- slot. A job that has been claimed meanwhile is left to the worker, which asks for a slot, too.
-- So this waits for whatever has locked the row: the doctor says that all have been mended.
WITH chosen AS MATERIALIZED (
	SELECT r.id FROM solid_queue_ready_executions r
	WHERE r.job_id = ANY (:jobs::bigint[])
		AND {include:holds_no_slot r.job_id}
	ORDER BY r.id FOR UPDATE
), gone AS (
	DELETE FROM solid_queue_ready_executions r WHERE r.id IN (SELECT chosen.id FROM chosen)
	RETURNING r.job_id, r.queue_name, r.priority
)
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT job_id, queue_name, priority, :now, :now FROM gone
{include:unless_there};
