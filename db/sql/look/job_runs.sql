-- job_runs(id, limit) -> attempt, began_at, ended_at, process_name, hostname, outcome, error, cpu_us, peak_memory, error_group
-- Lists the last runs of a job that its history has, the newest first.
-- read
-- rows
SELECT a.attempt, a.began_at, a.ended_at, a.process_name, a.hostname, a.outcome, a.error,
	a.cpu_us, a.peak_memory, a.error_group
FROM dray_attempts a WHERE a.job_id = :id ORDER BY a.id DESC LIMIT :limit;
