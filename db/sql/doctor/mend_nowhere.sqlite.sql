-- mend_nowhere(jobs, now) ->
-- Makes unfinished jobs that are in no table ready. One whose time is still to come becomes
-- scheduled, and so does one that is limited by a key: dispatching asks for its slot.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, COALESCE(j.scheduled_at, :now), :now
FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.finished_at IS NULL
	AND (j.scheduled_at > :now OR j.concurrency_key IS NOT NULL)
	AND {include:neither_runs_nor_is_ready j.id}
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)
{include:unless_there};
{include:insert_ready}
FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)
{include:unless_there};
