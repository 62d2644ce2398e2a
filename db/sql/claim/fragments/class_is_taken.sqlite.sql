-- The class of the ready job r is among :classes (null = all) and not among :others (null = none).
(:classes IS NULL OR EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = r.job_id
	AND j.class_name IN (SELECT value FROM json_each(:classes))))
AND (:others IS NULL OR NOT EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = r.job_id
	AND j.class_name IN (SELECT value FROM json_each(:others))))
