-- 000 migrations: what has been applied to this database; each file records itself.
-- adopted: the tables were there before, made by Rails.

CREATE TABLE dray_migrations (
	version integer PRIMARY KEY NOT NULL,
	name varchar NOT NULL,
	applied_at datetime(6),
	adopted boolean NOT NULL DEFAULT 0
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (0, 'migrations', strftime('%Y-%m-%d %H:%M:%f', 'now'));
