-- lose(claims, failures, keep, now) -> released, failed
-- Does what process_lose does for claims whose process row is gone. A claim that is gone, whose
-- number stands for another claim now, or whose job is finished already, is not counted.

-- @mysql
-- guard
{include:lock_claims};
{include:end_told};
{include:lose_all NULL, NULL};
{include:end_lost};

-- @postgresql
{include:lock_named};
{include:end_told};
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:lose_all NULL, NULL}
SELECT {include:lost_counts};

-- @sqlite
{include:end_told};
{include:drop_notes};
{include:lose_all NULL, NULL};
{include:end_lost};
