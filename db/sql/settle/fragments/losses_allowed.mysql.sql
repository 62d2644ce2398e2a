-- What :classes says of j's class, if anything: how many losses its jobs survive.
LEFT JOIN JSON_TABLE(:classes, '$[*]' COLUMNS (
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	max_losses int PATH '$.max_losses')) p
	ON CAST(p.class_name AS BINARY) = CAST(j.class_name AS BINARY)
