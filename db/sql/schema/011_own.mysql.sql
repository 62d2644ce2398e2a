-- 011 own tasks: recurring tasks whose schedule no expression says that Rails' parser reads. Rails does
-- not know of them; in place of a row in solid_queue_recurring_tasks they have one here, of the same
-- types and collations. Interrupted after any statement, it can be run again: nobody has used it then.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (11, 'own');

DROP TABLE IF EXISTS dray_recurring_own;

CREATE TABLE dray_recurring_own (
	PRIMARY KEY (task_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS task_key, s.command, s.class_name, s.arguments, s.queue_name, s.priority, s.static,
	s.description, s.created_at, s.updated_at
FROM solid_queue_recurring_tasks s WHERE false;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 11 AND applied_at IS NULL;
