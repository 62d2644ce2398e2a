-- The ready job r has not been lost so often that one more loss fails it: :max_losses (null = never
-- mind) or what :bounds says of its class.
(:max_losses::integer IS NULL OR (SELECT lost.job_id FROM dray_losses lost WHERE lost.job_id = r.job_id
	AND lost.losses >= GREATEST(1, COALESCE((
		SELECT x.max_losses FROM json_to_recordset(:bounds::json)
			AS x(class_name text, max_losses integer)
		WHERE x.class_name = (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = lost.job_id)),
		:max_losses::integer))) IS NULL)
