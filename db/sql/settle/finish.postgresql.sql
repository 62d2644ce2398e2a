-- finish(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Marks the jobs of these claims finished and drops the claims. claims: [{"id", "job_id",
-- "process_id", "created_at"}]. A claim that is gone was given to another process, also when its
-- number stands for another claim now: nothing is done for it, and it is not returned.
-- rows
WITH {include:drop_claims}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
