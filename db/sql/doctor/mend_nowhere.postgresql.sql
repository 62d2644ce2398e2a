-- mend_nowhere(jobs, now) ->
-- Makes unfinished jobs that are in no table ready. One whose time is still to come becomes
-- scheduled, and so does one that is limited by a key: dispatching asks for its slot. Two
-- doctors take turns by the job's lock, and the second, whose next statement looks anew, finds
-- the job mended.
SELECT id FROM solid_queue_jobs WHERE id = ANY (:jobs::bigint[]) ORDER BY id FOR UPDATE;
WITH lost AS (
	SELECT j.id, j.queue_name, j.priority, j.scheduled_at,
		j.concurrency_key IS NOT NULL OR COALESCE(j.scheduled_at > :now, false) AS waits
	FROM solid_queue_jobs j
	WHERE j.id = ANY (:jobs::bigint[]) AND j.finished_at IS NULL
		AND (SELECT r.id FROM solid_queue_ready_executions r WHERE r.job_id = j.id) IS NULL
		AND (SELECT s.id FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id) IS NULL
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL
		AND (SELECT b.id FROM solid_queue_blocked_executions b WHERE b.job_id = j.id) IS NULL
		AND (SELECT f.id FROM solid_queue_failed_executions f WHERE f.job_id = j.id) IS NULL
), scheduled AS (
	INSERT INTO solid_queue_scheduled_executions
		(job_id, queue_name, priority, scheduled_at, created_at)
	SELECT id, queue_name, priority, COALESCE(scheduled_at, :now), :now FROM lost WHERE waits
	{include:unless_there}
)
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT id, queue_name, priority, :now FROM lost WHERE NOT waits
{include:unless_there};
