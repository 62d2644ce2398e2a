-- Makes room in the history of the jobs of the runs {it}: with the runs to be added it has :keep of each.
DELETE FROM dray_attempts WHERE id IN (
	SELECT r.id FROM (
		SELECT h.id, row_number() OVER (PARTITION BY h.job_id ORDER BY h.id DESC) AS place
		FROM {it}
		CROSS JOIN dray_attempts h ON h.job_id = c.job_id) r
	WHERE r.place >= :keep)
