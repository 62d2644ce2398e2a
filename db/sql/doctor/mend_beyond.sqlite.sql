-- mend_beyond(jobs, now) ->
-- Jobs that are ready without a slot of ours become scheduled and are due: dispatching asks for it.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT r.job_id, r.queue_name, r.priority, :now, :now
FROM solid_queue_ready_executions r
WHERE r.job_id {in:jobs}
	AND (SELECT s.job_id FROM dray_slots s WHERE s.job_id = r.job_id LIMIT 1) IS NULL
{include:unless_there};
DELETE FROM solid_queue_ready_executions
WHERE job_id {in:jobs}
	AND (SELECT s.job_id FROM dray_slots s
		WHERE s.job_id = solid_queue_ready_executions.job_id LIMIT 1) IS NULL;
