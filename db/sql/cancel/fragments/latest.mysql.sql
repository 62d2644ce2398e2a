-- What find_latest has found, as a table; DISTINCT because MySQL cannot lock what JSON_TABLE stands beside.
(SELECT DISTINCT z.name, z.class_name, z.job_id FROM JSON_TABLE(@dray_latest, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', class_name varchar(255) {as_jobs} PATH '$.class_name',
	job_id bigint PATH '$.job_id')) z) latest
