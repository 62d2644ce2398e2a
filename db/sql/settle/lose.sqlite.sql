-- lose(claims, error, max_losses, alike, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.
{include:count_losses {include:claim_is_named}};
{include:fail_lost {include:claim_is_named}};
{include:ready_lost {include:claim_is_named}};
-- rows
SELECT {include:lost_counts {include:claim_is_named}};
{include:drop_claims};
