-- slots_cancel(keys, now) -> job_id, pid, hostname, ended
-- Does what on_conflict "cancel_running" says where a new job was blocked at this time and still is.
-- Of the new jobs of its key and class the last one remains. All others that wait, with or without a
-- slot, end as cancelled, but for those that are retried; notes for those that a process of ours
-- runs say that they are cancelled, too, but for what was noted before. Returns what has ended, and where the others run. After it
-- come slots_free and slots_admit for what has ended, in a transaction of their own, because other
-- keys of theirs are not locked.
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
