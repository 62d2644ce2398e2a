-- 011 own tasks: recurring tasks whose schedule no expression says that Rails' parser reads. Rails does
-- not know of them; in place of a row in solid_queue_recurring_tasks they have one here.

CREATE TABLE dray_recurring_own (
	task_key varchar NOT NULL PRIMARY KEY,
	command varchar(2048),
	class_name varchar,
	arguments text,
	queue_name varchar,
	priority integer DEFAULT 0,
	static boolean NOT NULL DEFAULT TRUE,
	description text,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL
) WITHOUT ROWID;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (11, 'own', strftime('%Y-%m-%d %H:%M:%f', 'now'));
