-- 012 others: processes of other software that were seen at these tables, one of each kind. They are
-- remembered after they are gone: they may come back, and their jobs are theirs.

CREATE TABLE dray_others (
	kind character varying NOT NULL PRIMARY KEY,
	name character varying NOT NULL,
	seen_at timestamp(6) NOT NULL
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (12, 'others', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
