-- found(jobs, now) -> job_id, active_job_id, oldest, next
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
