-- The job {it} is not set aside because the database refused it (queue/refused).
(SELECT COUNT(*) FROM dray_pauses f FORCE INDEX (PRIMARY) WHERE f.kind = 'refused'
	AND f.name = CONVERT({it} USING utf8mb4) COLLATE utf8mb4_bin) = 0
