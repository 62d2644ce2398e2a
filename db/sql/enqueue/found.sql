-- found(jobs, now) -> job_id, active_job_id, oldest, next

-- @mysql
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

-- @postgresql
-- Finds what an enqueue left of these jobs ([{"active_job_id"}], made at `now`), with the oldest
-- transaction under way and a number that all of them are below. Where there are no jobs one row
-- has these two.
-- read
-- rows
SELECT j.id, j.active_job_id, txid_snapshot_xmin(t.snapshot), t.next
FROM (SELECT txid_current_snapshot() AS snapshot, txid_current() AS next) t
LEFT JOIN (
	(SELECT DISTINCT active_job_id FROM json_to_recordset(:jobs::json) AS x(active_job_id text)) d
	CROSS JOIN LATERAL (
		SELECT id, active_job_id FROM solid_queue_jobs
		WHERE active_job_id = d.active_job_id AND created_at = :now::timestamp OFFSET 0) j) ON true
ORDER BY j.id;

-- @sqlite
-- Finds what an enqueue left of these jobs ([{"active_job_id"}], made at `now`).
-- read
-- rows
SELECT j.id, j.active_job_id, 0, 0
FROM solid_queue_jobs j
WHERE j.active_job_id IN (SELECT value ->> 'active_job_id' FROM json_each(:jobs))
	AND j.created_at = :now
ORDER BY j.id;
