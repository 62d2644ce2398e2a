-- The notes k of cancelled jobs, each with its claim c, of the claims that :claims names.
{include:named_claims}
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id AND k.claim_id = c.id
