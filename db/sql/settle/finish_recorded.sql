-- finish_recorded(claims, failures, keep, now) -> claim_name
-- Does what finish does for classes with `history: all`: the runs, whose ends `failures` tells as for
-- fail, but without an error, are written into the history, too.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'finished'};
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'finished'}, finished AS (
	{include:finish_jobs}
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:finish_jobs};
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'finished'};
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
