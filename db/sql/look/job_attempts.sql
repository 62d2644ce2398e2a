-- job_attempts(active_job_id, id, limit) -> id, created_at, finished_at
-- Lists the last rows before this one with the same Active Job id: each retry of Active Job's
-- own makes a new row.
-- read
-- rows
SELECT j.id, j.created_at, j.finished_at FROM solid_queue_jobs j
WHERE j.active_job_id = :active_job_id AND j.id < :id ORDER BY j.id DESC LIMIT :limit;
