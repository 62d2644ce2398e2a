-- The ready job r has not been lost so often that one more loss fails it: as its class declares, or
-- else :max_losses (null = never mind).
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost FORCE INDEX (PRIMARY)
	STRAIGHT_JOIN solid_queue_jobs hurt FORCE INDEX (PRIMARY) ON hurt.id = lost.job_id
	WHERE lost.job_id = r.job_id AND lost.losses >=
		GREATEST(1, COALESCE({include:own_bound hurt.class_name}, :max_losses))) IS NULL)
