-- What several operations of classes/ share (db/scripts/dialect.h).
-- list class_row(class_name, position, max_losses, lost_end, own_rows, slots, duration_ms, on_conflict, key_template, group_name)

-- @fragment declared
-- @mysql
-- What the class of the job j declares, beside j; it may be nothing. A join: MariaDB remembers the results of
-- a subselect by class names as their collation compares them.
LEFT JOIN dray_classes declared FORCE INDEX (PRIMARY) ON declared.class_name = j.class_name
	AND declared.position = 0 AND CAST(declared.class_name AS BINARY) = CAST(j.class_name AS BINARY)

-- @postgresql @sqlite
-- What the class of the job j declares, beside j; it may be nothing.
LEFT JOIN dray_classes declared ON declared.class_name = j.class_name AND declared.position = 0

-- @fragment exact
-- @mysql
-- The name {it}, equal only to itself: as their collation compares them T, t and an accented one are one.
CONVERT({it} USING utf8mb4) COLLATE utf8mb4_bin

-- @postgresql @sqlite
-- The name {it}, equal only to itself.
{it}

-- @fragment insert_classes
-- @mysql
-- Inserts what classes declare, from :classes, into dray_classes; {it} says what text the class
-- names are: only stored, or also compared.
INSERT INTO dray_classes (class_name, position, max_losses, lost_end, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.max_losses, x.lost_end, x.slots, x.duration_ms, x.on_conflict,
	x.key_template, x.group_name, :now
FROM JSON_TABLE(:classes, '$[*]' COLUMNS (
	class_name varchar(255) {it} PATH '$.class_name',
	position int PATH '$.position',
	max_losses int PATH '$.max_losses',
	lost_end longtext CHARACTER SET utf8mb4 PATH '$.lost_end',
	slots int PATH '$.slots',
	duration_ms bigint PATH '$.duration_ms',
	on_conflict varchar(255) CHARACTER SET utf8mb4 PATH '$.on_conflict',
	key_template longtext CHARACTER SET utf8mb4 PATH '$.key_template',
	group_name varchar(255) CHARACTER SET utf8mb4 PATH '$.group_name')) x

-- @postgresql
-- Inserts what classes declare, from :classes, into dray_classes.
INSERT INTO dray_classes AS known (class_name, position, max_losses, lost_end, slots, duration_ms,
	on_conflict, key_template, group_name, updated_at)
SELECT x.class_name, x.position, x.max_losses, x.lost_end, x.slots, x.duration_ms, x.on_conflict,
	x.key_template, x.group_name, :now::timestamp
FROM json_to_recordset(:classes::json) AS x(class_name text, position integer, max_losses integer, lost_end text,
	slots integer, duration_ms bigint, on_conflict text, key_template text, group_name text)

-- @sqlite
-- Inserts what classes declare, from :classes, into dray_classes.
INSERT INTO dray_classes (class_name, position, max_losses, lost_end, slots, duration_ms, on_conflict,
	key_template, group_name, updated_at)
SELECT x.value ->> 'class_name', x.value ->> 'position', x.value ->> 'max_losses',
	x.value ->> 'lost_end',
	x.value ->> 'slots', x.value ->> 'duration_ms', x.value ->> 'on_conflict',
	x.value ->> 'key_template', x.value ->> 'group_name', :now
FROM json_each(:classes) x

-- @fragment is_of_class
-- @mysql
-- The class {it} is :class_name; null = any. First as the index on it finds it, then exactly.
({it} = :class_name AND CAST(CONVERT({it} USING utf8mb4) AS BINARY) = CAST(:class_name AS BINARY)
	OR :class_name IS NULL)

-- @postgresql @sqlite
-- The class {it} is :class_name; null = any.
({it} = :class_name OR :class_name IS NULL)

-- @fragment own_bound
-- How many losses a job of the class {it} survives, as the class declares; null when it does not.

-- @mysql
(SELECT bound.max_losses FROM dray_classes bound FORCE INDEX (PRIMARY)
	WHERE bound.class_name = {it} AND bound.position = 0
		AND CAST(bound.class_name AS BINARY) = CAST({it} AS BINARY))

-- @postgresql @sqlite
(SELECT bound.max_losses FROM dray_classes bound
	WHERE bound.class_name = {it} AND bound.position = 0)
