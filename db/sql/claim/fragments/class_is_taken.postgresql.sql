-- The class of the ready job r is among :classes (null = all) and not among :others (null = none).
(:classes::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
	) = ANY (ARRAY(SELECT json_array_elements_text(:classes::json))))
AND (:others::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
	) <> ALL (ARRAY(SELECT json_array_elements_text(:others::json))))
