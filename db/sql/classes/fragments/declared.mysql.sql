-- What the class of the job j declares, beside j; it may be nothing. A join: MariaDB remembers the results of
-- a subselect by class names as their collation compares them.
LEFT JOIN dray_classes declared FORCE INDEX (PRIMARY) ON declared.class_name = j.class_name
	AND declared.position = 0 AND CAST(declared.class_name AS BINARY) = CAST(j.class_name AS BINARY)
