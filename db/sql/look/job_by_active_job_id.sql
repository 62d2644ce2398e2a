-- job_by_active_job_id(active_job_id) -> job_id
-- Finds the newest job with this Active Job id: the retries that Active Job itself enqueues keep
-- the id.
-- read
-- rows
SELECT id FROM solid_queue_jobs WHERE active_job_id = :active_job_id ORDER BY id DESC LIMIT 1;
