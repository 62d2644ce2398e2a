-- cancel_run(claims, failures, keep, now) -> claim_name
-- The runs of these claims were stopped because their jobs were cancelled: they are finished, and the
-- history says by whom and why. failures is as for fail. A claim that is gone is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'cancelled'};
DELETE k
FROM {include:named_claims}
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id;
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'cancelled'}, finished AS (
	{include:finish_jobs}
), known AS (
	DELETE FROM dray_cancellations WHERE job_id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'cancelled'};
DELETE FROM dray_cancellations WHERE job_id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
{include:end_claims};
