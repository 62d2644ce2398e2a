-- The keys of :tasks as a table, and the schedule that Rails reads.
JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails')) x
