-- 011 own tasks: recurring tasks whose schedule no expression says that Rails' parser reads. Rails does
-- not know of them; in place of a row in solid_queue_recurring_tasks they have one here.

CREATE TABLE dray_recurring_own (
	task_key character varying NOT NULL PRIMARY KEY,
	command character varying(2048),
	class_name character varying,
	arguments text,
	queue_name character varying,
	priority integer DEFAULT 0,
	static boolean NOT NULL DEFAULT true,
	description text,
	created_at timestamp(6) NOT NULL,
	updated_at timestamp(6) NOT NULL
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (11, 'own', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
