-- retry_later(claims, failures, keep, now) -> claim_name
-- The runs of these claims failed, and their jobs are to run again when they are `due`, with a
-- payload that counts this execution (without one with the payload they have). failures is as for
-- fail. A claim of a finished job just goes; one that is gone is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:later_row {include:unfinished_runs}};
{include:later_job {include:unfinished_runs}};
{include:end_runs 'retried'};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'retried'}, {include:later ends}
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:later_row {include:unfinished_runs} WHERE true};
{include:later_job {include:unfinished_runs} WHERE true};
{include:end_runs 'retried'};
