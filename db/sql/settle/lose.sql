-- lose(claims, failures, keep, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.

-- @mysql
-- guard
{include:lock_claims};
{include:finish_told};
{include:add_told};
{include:drop_told};
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:unfinished_runs} AND x.outcome = 'retried'};
{include:later_job {include:unfinished_runs} AND x.outcome = 'retried'};
{include:forget_attempts {include:unfinished_runs}};
{include:add_lost NULL, NULL};
-- rows
SELECT {include:lost_counts};
{include:finish_lost};
{include:drop_claims};

-- @postgresql
{include:lock_named};
{include:end_told};
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:lose_all NULL, NULL}
SELECT {include:lost_counts};

-- @sqlite
{include:finish_told};
{include:add_told};
{include:drop_told};
{include:drop_notes};
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:unfinished_runs} WHERE f.value ->> 'outcome' = 'retried'};
{include:later_job {include:unfinished_runs} WHERE f.value ->> 'outcome' = 'retried'};
{include:forget_attempts {include:unfinished_runs}};
{include:add_lost NULL, NULL};
-- rows
SELECT {include:lost_counts};
{include:finish_lost};
{include:drop_claims};
