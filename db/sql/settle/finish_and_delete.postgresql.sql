-- finish_and_delete(claims) -> claim_id, job_id, process_id, claimed_at
-- Does what finish does where finished jobs are not preserved (preserve_finished_jobs: false):
-- deletes the jobs' rows, and the claims with them.
-- rows
WITH {include:drop_claims}, finished AS (
	DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
