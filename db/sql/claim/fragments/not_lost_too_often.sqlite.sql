-- The ready job r has not been lost so often that one more loss fails it: as its class declares, or
-- else :max_losses (null = never mind).
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost
	WHERE lost.job_id = r.job_id AND lost.losses >= max(1, COALESCE((
		SELECT {include:own_bound hurt.class_name}
		FROM solid_queue_jobs hurt WHERE hurt.id = lost.job_id), :max_losses))) IS NULL)
