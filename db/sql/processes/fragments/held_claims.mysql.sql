-- The claims c that the process holds, as lock_held has found them.
{include:ids @dray_claims} x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
