-- 008 rails: the table by which Rails knows that somebody has made the tables: without it
-- `bin/rails db:prepare` loads its schema file, which drops them with every job. 1 is the version
-- of Solid Queue's schema file. A table with rows is left as it is.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (8, 'rails');

CREATE TABLE IF NOT EXISTS schema_migrations (
	version varchar(255) NOT NULL PRIMARY KEY
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

INSERT INTO schema_migrations (version)
SELECT '1' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM schema_migrations);

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 8 AND applied_at IS NULL;
