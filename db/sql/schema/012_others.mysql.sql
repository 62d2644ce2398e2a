-- 012 others: processes of other software that were seen at these tables, one of each kind. They are
-- remembered after they are gone: they may come back, and their jobs are theirs. Interrupted after any
-- statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (12, 'others');

CREATE TABLE IF NOT EXISTS dray_others (
	kind varchar(255) NOT NULL PRIMARY KEY,
	name varchar(255) NOT NULL,
	seen_at datetime(6) NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 12 AND applied_at IS NULL;
