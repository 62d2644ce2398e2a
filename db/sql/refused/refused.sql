-- refused(job_id, name) -> since, exists, finished
-- Since when the database refuses this job, null when it is the first time; is there still such a job,
-- unfinished, or is there a finished one? Always one row.
-- read
-- rows
SELECT (SELECT MIN(k.created_at) FROM dray_pauses k
		WHERE k.kind IN ('refused', 'refused_before') AND k.name = :name),
	CASE WHEN EXISTS (SELECT 1 FROM solid_queue_jobs j
		WHERE j.id = :job_id AND j.finished_at IS NULL) THEN 1 ELSE 0 END,
	CASE WHEN EXISTS (SELECT 1 FROM solid_queue_jobs j
		WHERE j.id = :job_id AND j.finished_at IS NOT NULL) THEN 1 ELSE 0 END;
