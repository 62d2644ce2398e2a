-- The claims c of @dray_claims whose process p stops what is cancelled, or is gone, so that it is we who
-- find what it left. k is the note that this run is cancelled, if any.
{include:ids @dray_claims} x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
LEFT JOIN solid_queue_processes p FORCE INDEX (PRIMARY) ON p.id = c.process_id
LEFT JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id AND k.claim_id = c.id
WHERE (p.id IS NULL OR p.metadata LIKE '%"cancels":true%')
