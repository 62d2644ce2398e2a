-- snooze(claims, failures, keep, now) -> claim_name
-- These runs have put their jobs off: they are to run again when they are `due`, and the history says why.
-- failures is as for fail. A claim of a finished job just goes; one that is gone is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:later_row {include:unfinished_runs}};
{include:later_job {include:unfinished_runs}};
{include:count_interruptions};
{include:end_runs 'snoozed'};

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'snoozed'},
{include:count_interruptions}, {include:later ends}
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:later_row {include:unfinished_runs} WHERE true};
{include:later_job {include:unfinished_runs} WHERE true};
{include:count_interruptions};
{include:end_runs 'snoozed'};
