-- 000 migrations: what has been applied to this database; each file records itself.
-- applied_at: NULL while a migration is under way. adopted: the tables were there before, made
-- by Rails.

CREATE TABLE IF NOT EXISTS dray_migrations (
	version int NOT NULL PRIMARY KEY,
	name varchar(255) NOT NULL,
	applied_at datetime(6),
	adopted tinyint(1) NOT NULL DEFAULT 0
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

INSERT IGNORE INTO dray_migrations (version, name, applied_at)
VALUES (0, 'migrations', UTC_TIMESTAMP(6));
