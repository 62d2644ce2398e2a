-- lose(claims, failures, keep, max_losses, alike, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:judge_lost NULL, NULL}
SELECT {include:lost_counts};
{include:count_once};
