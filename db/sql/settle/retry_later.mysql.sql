-- retry_later(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims failed, and their jobs are to run again when they are `due`, with a
-- payload that counts this execution (without one with the payload they have). failures is as for
-- fail. A claim of a finished job just goes; one that is gone is not returned.
-- guard
-- rows
{include:lock_claims};
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, x.due, :now
FROM {include:run_ends}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
{include:unless_there solid_queue_scheduled_executions};
UPDATE {include:run_ends}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
SET j.arguments = COALESCE(x.payload, j.arguments), j.scheduled_at = x.due, j.updated_at = :now;
{include:forget_attempts};
{include:add_attempts 'retried'};
{include:drop_claims};
