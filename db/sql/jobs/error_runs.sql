-- error_runs(error_group, id, limit) -> job_id, class_name, attempt, ended_at, outcome, error
-- Lists the last failures of a group, the newest first; of the one with this id the whole error.
-- read
-- rows
SELECT a.job_id, j.class_name, a.attempt, a.ended_at, a.outcome,
	CASE WHEN a.id = :id THEN a.error END
FROM (SELECT * FROM dray_attempts n {index:index_dray_attempts_on_error_group_and_id}
	WHERE n.error_group = :error_group ORDER BY n.id DESC LIMIT :limit) a
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = a.job_id
ORDER BY a.id DESC;
