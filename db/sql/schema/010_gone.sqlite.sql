-- 010 gone: processes that ended without leaving in good order: who, when and how. Kept for an hour.

CREATE TABLE dray_gone (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	process_id bigint NOT NULL,
	kind varchar NOT NULL,
	name varchar NOT NULL,
	hostname varchar,
	pid integer NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	how text NOT NULL,
	released bigint NOT NULL,
	failed bigint NOT NULL,
	gone_at datetime(6) NOT NULL
);
CREATE INDEX index_dray_gone_on_gone_at ON dray_gone (gone_at);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (10, 'gone', strftime('%Y-%m-%d %H:%M:%f', 'now'));
