-- schema_migrations again, where it is gone: Rails would take the database for a new one, and
-- drop the tables with every job. Interrupted after any statement, it can be run again.

CREATE TABLE IF NOT EXISTS schema_migrations (
	version varchar(255) NOT NULL PRIMARY KEY
);

INSERT INTO schema_migrations (version)
SELECT '1' FROM (SELECT COUNT(*) AS versions FROM schema_migrations) AS present
WHERE versions = 0;
