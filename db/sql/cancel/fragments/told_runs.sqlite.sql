-- The notes k of cancelled jobs, each with its claim c, of the claims that :claims names.
solid_queue_claimed_executions c CROSS JOIN dray_cancellations k ON k.job_id = c.job_id AND k.claim_id = c.id
WHERE {include:claim_is_named}
