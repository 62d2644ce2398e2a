-- found(jobs, now) -> job_id, active_job_id, oldest, next
-- Finds what an enqueue left of these jobs ([{"active_job_id"}], made at `now`). A locking read:
-- it waits for the transaction that has inserted them and is still under way.
-- read
-- rows
SELECT j.id, j.active_job_id, 0, 0
FROM (SELECT DISTINCT x.active_job_id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = d.active_job_id
WHERE j.created_at = :now
ORDER BY j.id
LOCK IN SHARE MODE;
