-- arrange(jobs, queue, priority, now, audit) -> job_id
-- Moves waiting jobs (ready, scheduled, blocked, failed) to another queue, gives them another
-- priority, or both; NULL leaves what is there. The execution rows come first, so a job that is
-- claimed or dispatched meanwhile stays as it is. `audit` is the line of the audit trail that
-- counts them.
UPDATE solid_queue_ready_executions SET {include:arranged}
WHERE job_id {in:jobs};
UPDATE solid_queue_scheduled_executions SET {include:arranged}
WHERE job_id {in:jobs};
UPDATE solid_queue_blocked_executions SET {include:arranged}
WHERE job_id {in:jobs};
-- rows
UPDATE solid_queue_jobs SET {include:arranged}, updated_at = :now
WHERE id IN (
	SELECT job_id FROM solid_queue_ready_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_scheduled_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_blocked_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_failed_executions WHERE job_id {in:jobs})
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
