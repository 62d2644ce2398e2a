-- 008 rails: the table by which Rails knows that somebody has made the tables: without it
-- `bin/rails db:prepare` loads its schema file, which drops them with every job. 1 is the version
-- of Solid Queue's schema file. A table with rows is left as it is.

CREATE TABLE IF NOT EXISTS schema_migrations (
	version varchar NOT NULL PRIMARY KEY
);
INSERT INTO schema_migrations (version)
SELECT '1' WHERE NOT EXISTS (SELECT 1 FROM schema_migrations);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (8, 'rails', strftime('%Y-%m-%d %H:%M:%f', 'now'));
