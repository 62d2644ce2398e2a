-- 013 classes: what classes declare, published once for all: their policies in the row with position 0,
-- beside the first of their limits, and further limits in rows of their own. The table of limits goes:
-- every process that starts with a jobs.yml writes what it had.
-- Names are compared with those of Solid Queue's tables, so they are made with the collation that
-- these have. Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (13, 'classes');

CREATE TABLE IF NOT EXISTS dray_classes (
	position int NOT NULL,
	max_losses int,
	slots int,
	duration_ms bigint,
	on_conflict varchar(255),
	key_template text,
	group_name varchar(255),
	updated_at datetime(6) NOT NULL,
	PRIMARY KEY (class_name, position)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT j.class_name, 0 AS position, j.created_at AS updated_at
FROM solid_queue_jobs j WHERE false;
DROP TABLE IF EXISTS dray_limits;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 13 AND applied_at IS NULL;
