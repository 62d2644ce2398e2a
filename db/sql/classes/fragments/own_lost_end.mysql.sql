-- What becomes of a job of the class {it} when losses end it, as the class declares; null when it does not.
(SELECT declared.lost_end FROM dray_classes declared FORCE INDEX (PRIMARY)
	WHERE declared.class_name = {it} AND declared.position = 0
		AND CAST(declared.class_name AS BINARY) = CAST({it} AS BINARY))
