-- The class of the ready job r is not paused. That any is paused is asked first: mostly none is.
(NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
	OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
		<> ALL (ARRAY(SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')))
