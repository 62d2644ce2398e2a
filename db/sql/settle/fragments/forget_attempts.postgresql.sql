-- Makes room in the history of the jobs of the runs in {it}: with the runs to be added it has :keep of each.
forgotten AS (
	DELETE FROM dray_attempts WHERE id = ANY (ARRAY(
		SELECT h.id FROM {it} CROSS JOIN LATERAL (
			SELECT id FROM dray_attempts WHERE job_id = {it}.job_id
			ORDER BY id DESC OFFSET GREATEST(:keep - 1, 0)) h))
)
