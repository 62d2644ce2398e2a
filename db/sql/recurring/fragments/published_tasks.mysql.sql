-- The tasks of :tasks as a table.
JSON_TABLE(:tasks, '$[*]' COLUMNS (
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	rails varchar(255) CHARACTER SET utf8mb4 PATH '$.rails',
	command varchar(2048) CHARACTER SET utf8mb4 PATH '$.command',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	priority int PATH '$.priority',
	description longtext CHARACTER SET utf8mb4 PATH '$.description')) x
