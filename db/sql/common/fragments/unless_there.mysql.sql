-- A job that has such a row already keeps it.
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id)
