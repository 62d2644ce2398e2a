-- The newest of the {it} jobs that are asked for.
(SELECT {include:job_row}
	FROM solid_queue_{it}_executions {it} FORCE INDEX (index_solid_queue_{it}_executions_on_job_id)
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = {it}.job_id
	WHERE {it}.job_id > :after AND {it}.job_id < :before
		AND {include:job_is_wanted}
		AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
	ORDER BY {it}.job_id DESC LIMIT :limit) {it}_jobs
