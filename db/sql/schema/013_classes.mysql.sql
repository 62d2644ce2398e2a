-- 013 classes: what classes declare, published once for all: their policies in the row with position 0,
-- beside the first of their limits, and further limits in rows of their own. The table of limits goes:
-- every process that starts with a jobs.yml writes what it had.
-- Classes that differ only in case are two. Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (13, 'classes');

CREATE TABLE IF NOT EXISTS dray_classes (
	class_name varchar(255) COLLATE utf8mb4_bin NOT NULL,
	position int NOT NULL,
	max_losses int,
	slots int,
	duration_ms bigint,
	on_conflict varchar(255),
	key_template text,
	group_name varchar(255),
	updated_at datetime(6) NOT NULL,
	PRIMARY KEY (class_name, position)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;
DROP TABLE IF EXISTS dray_limits;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 13 AND applied_at IS NULL;
