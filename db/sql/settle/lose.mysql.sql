-- lose(claims, error, max_losses, alike, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.
-- guard
{include:lock_claims};
{include:count_losses {include:named_claims}};
{include:judge_lost {include:named_claims}};
{include:fail_lost};
{include:ready_lost};
{include:drop_claims};
-- rows
SELECT {include:lost_counts};
