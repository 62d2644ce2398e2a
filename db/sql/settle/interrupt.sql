-- interrupt(claims, failures, keep, now) -> claim_name
-- These runs were cut short by a shutdown or a reload: their jobs are ready again, and the history says so.
-- failures is as for fail. A claim of a finished job just goes; one that is gone is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:ready_again {include:named_claims}};
{include:count_interruptions};
{include:end_runs 'interrupted'};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'interrupted'},
{include:count_interruptions}, ready AS (
	{include:ready_again}
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:ready_again {include:claim_is_named}};
{include:count_interruptions};
{include:end_runs 'interrupted'};
