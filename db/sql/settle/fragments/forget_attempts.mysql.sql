-- Makes room in the history of the jobs of the runs {it}: with the runs to be added it has :keep of each.
DELETE a
FROM (SELECT r.id FROM (
		SELECT h.id, row_number() OVER (PARTITION BY h.job_id ORDER BY h.id DESC) AS place
		FROM {it}
		STRAIGHT_JOIN dray_attempts h FORCE INDEX (index_dray_attempts_on_job_id_and_id)
			ON h.job_id = c.job_id) r
	WHERE r.place >= :keep) old
STRAIGHT_JOIN dray_attempts a FORCE INDEX (PRIMARY) ON a.id = old.id
