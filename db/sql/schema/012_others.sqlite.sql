-- 012 others: processes of other software that were seen at these tables, one of each kind. They are
-- remembered after they are gone: they may come back, and their jobs are theirs.

CREATE TABLE dray_others (
	kind varchar NOT NULL PRIMARY KEY,
	name varchar NOT NULL,
	seen_at datetime(6) NOT NULL
) WITHOUT ROWID;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (12, 'others', strftime('%Y-%m-%d %H:%M:%f', 'now'));
