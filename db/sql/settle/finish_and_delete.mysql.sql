-- finish_and_delete(claims) -> claim_id, job_id, process_id, claimed_at
-- Does what finish does where finished jobs are not preserved (preserve_finished_jobs: false):
-- deletes the jobs' rows, and the claims with them.
-- guard
-- rows
{include:lock_claims};
DELETE j
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id;
