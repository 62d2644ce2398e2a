-- The ready job r has not been lost so often that one more loss fails it: :max_losses (null = never
-- mind) or what :bounds says of its class.
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost WHERE lost.job_id = r.job_id
	AND lost.losses >= max(1, COALESCE((SELECT value ->> 'max_losses' FROM json_each(:bounds)
		WHERE value ->> 'class_name' = (
			SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = lost.job_id)),
		:max_losses))) IS NULL)
