-- 000 migrations: what has been applied to this database; each file records itself.
-- adopted: the tables were there before, made by Rails.

CREATE TABLE dray_migrations (
	version integer PRIMARY KEY,
	name varchar NOT NULL,
	applied_at timestamp(6),
	adopted boolean NOT NULL DEFAULT false
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (0, 'migrations', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
