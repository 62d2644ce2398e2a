-- discard_run(claims, failures, keep, now) -> claim_name
-- The runs of these claims failed in a way that ends their jobs: they are finished, and the history
-- says why. failures is as for fail. A claim that is gone is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'discarded'};
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'discarded'}, finished AS (
	{include:finish_jobs}
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'discarded'};
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
