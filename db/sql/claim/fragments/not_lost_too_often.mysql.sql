-- The ready job r has not been lost so often that one more loss fails it: :max_losses (null = never
-- mind) or what :bounds says of its class.
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost FORCE INDEX (PRIMARY)
	WHERE lost.job_id = r.job_id AND lost.losses >= GREATEST(1, COALESCE((
		SELECT x.max_losses
		FROM JSON_TABLE(:bounds, '$[*]' COLUMNS (
			class_name varchar(255) {as_jobs} PATH '$.class_name',
			max_losses int PATH '$.max_losses')) x
		WHERE CAST(x.class_name AS BINARY) = CAST((SELECT j.class_name FROM solid_queue_jobs j
			WHERE j.id = lost.job_id) AS BINARY)), :max_losses))) IS NULL)
