-- mend_beyond(jobs, now) ->
-- Makes jobs that are ready without a slot of ours scheduled and due: dispatching asks for a
-- slot.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT r.job_id, r.queue_name, r.priority, :now, :now
FROM solid_queue_ready_executions r
WHERE r.job_id {in:jobs}
	AND {include:holds_no_slot r.job_id}
{include:unless_there};
DELETE FROM solid_queue_ready_executions
WHERE job_id {in:jobs}
	AND {include:holds_no_slot solid_queue_ready_executions.job_id};
