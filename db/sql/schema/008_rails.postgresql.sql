-- 008 rails: the table by which Rails knows that somebody has made the tables: without it
-- `bin/rails db:prepare` loads its schema file, which drops them with every job. 1 is the version
-- of Solid Queue's schema file. Where a table of that name can be seen it is left as it is.

DO $dray$
BEGIN
	PERFORM 1 FROM schema_migrations LIMIT 1;
EXCEPTION
	WHEN undefined_table THEN
		CREATE TABLE schema_migrations (version varchar NOT NULL PRIMARY KEY);
		INSERT INTO schema_migrations (version) VALUES ('1');
	WHEN insufficient_privilege THEN
		NULL;
END
$dray$;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (8, 'rails', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
