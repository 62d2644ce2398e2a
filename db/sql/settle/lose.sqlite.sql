-- lose(claims, failures, keep, max_losses, alike, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:lost_runs 'retried'}};
{include:later_job {include:lost_runs 'retried'}};
{include:count_once};
{include:forget_attempts};
{include:add_lost NULL, NULL};
-- rows
SELECT {include:lost_counts};
{include:finish_lost};
{include:drop_claims};
