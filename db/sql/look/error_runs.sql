-- error_runs(error_group, limit) -> id, job_id, class_name, attempt, ended_at, outcome
-- Lists the last failures of a group, the newest first.
-- read
-- rows
SELECT a.id, a.job_id, j.class_name, a.attempt, a.ended_at, a.outcome
FROM (SELECT n.id, n.job_id, n.attempt, n.ended_at, n.outcome
	FROM dray_attempts n {index:index_dray_attempts_on_error_group_and_ended_at}
	WHERE n.error_group = :error_group ORDER BY n.ended_at DESC LIMIT :limit) a
{join} solid_queue_jobs j {index:PRIMARY} ON j.id = a.job_id
ORDER BY a.ended_at DESC, a.id DESC;
