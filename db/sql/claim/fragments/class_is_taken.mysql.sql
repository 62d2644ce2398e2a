-- The class of the ready job r is among :classes (null = all) and not among :others (null = none).
(:classes IS NULL OR JSON_CONTAINS(:classes, JSON_QUOTE((
	SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))))
AND (:others IS NULL OR NOT JSON_CONTAINS(:others, JSON_QUOTE((
	SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))))
