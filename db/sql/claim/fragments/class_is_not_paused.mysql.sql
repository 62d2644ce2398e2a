-- The class of the ready job r is not paused. That any is paused is asked first: mostly none is.
(NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
	OR (SELECT COUNT(*) FROM solid_queue_jobs j FORCE INDEX (PRIMARY)
		STRAIGHT_JOIN dray_pauses k FORCE INDEX (PRIMARY) ON k.kind = 'class'
			AND k.name COLLATE utf8mb4_bin =
				CONVERT(j.class_name USING utf8mb4) COLLATE utf8mb4_bin
		WHERE j.id = r.job_id) = 0)
