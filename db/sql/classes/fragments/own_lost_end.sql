-- What becomes of a job of the class {it} when losses end it, as the class declares; null when it does not.
(SELECT declared.lost_end FROM dray_classes declared
	WHERE declared.class_name = {it} AND declared.position = 0)
