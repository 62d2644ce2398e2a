-- retry_later(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims failed, and their jobs are to run again when they are `due`, with a
-- payload that counts this execution (without one with the payload they have). failures is as for
-- fail. A claim of a finished job just goes; one that is gone is not returned.
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, f.value ->> 'due', :now
FROM {include:run_ends}
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE true
{include:unless_there};
UPDATE solid_queue_jobs
SET arguments = COALESCE(e.payload, arguments), scheduled_at = e.due, updated_at = :now
FROM (SELECT c.job_id, f.value ->> 'payload' AS payload, f.value ->> 'due' AS due
	FROM {include:run_ends}) e
WHERE solid_queue_jobs.id = e.job_id AND +finished_at IS NULL;
{include:forget_attempts};
{include:add_attempts 'retried'};
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
