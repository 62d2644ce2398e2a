-- Finds the rows that were inserted just now, by active_job_id and created_at, because the ids
-- of several enqueuers may interleave. Once, since reading that JSON costs as much as inserting
-- a row; the other statements use the ids. Two jobs may have the same active_job_id: one of an
-- earlier call in this transaction is found, too.
SELECT JSON_ARRAYAGG(j.id) INTO @dray_jobs
FROM (SELECT DISTINCT x.active_job_id FROM JSON_TABLE(:jobs, '$[*].active_job_id' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = d.active_job_id
WHERE j.created_at = :now
