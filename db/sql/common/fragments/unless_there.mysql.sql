-- A job that has such a row in {it} already keeps it. Where the ids have come to their end, MySQL
-- finds the row of another job: that is refused.
ON DUPLICATE KEY UPDATE job_id = IF({it}.job_id = VALUES(job_id), {it}.job_id, NULL)
