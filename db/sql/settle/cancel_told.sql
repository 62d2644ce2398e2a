-- cancel_told(claims, now) -> claim_name, message
-- Of these claims those whose jobs were cancelled, which their worker did not know: the jobs are
-- finished, and the history says by whom and why. It comes before what makes the jobs of the others wait
-- again. The claims are locked: what is cancelled later finds no claim.

-- @mysql
-- guard
-- rows
SELECT c.id, c.job_id, c.process_id, c.created_at, {include:cancelled_by}
FROM {include:distinct_claims}
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id AND k.claim_id = c.id
FOR UPDATE;
{include:end_told};

-- @postgresql
{include:lock_named};
-- rows
{include:end_told};

-- @sqlite
-- guard
-- rows
SELECT c.id, c.job_id, c.process_id, c.created_at, {include:cancelled_by} FROM {include:told_runs};
{include:end_told};
{include:drop_notes};
