-- lose(claims, failures, keep, max_losses, alike, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.
-- guard
{include:lock_claims};
{include:count_losses {include:run_ends}};
{include:judge_lost};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:lost_runs 'retried'}};
{include:later_job {include:lost_runs 'retried'}};
{include:count_once};
{include:finish_lost};
{include:forget_attempts};
{include:add_lost NULL, NULL};
{include:drop_claims};
-- rows
SELECT {include:lost_counts};
