-- 010 gone: processes that ended without leaving in good order: who, when and how. Kept for an hour.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (10, 'gone');

CREATE TABLE IF NOT EXISTS dray_gone (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	process_id bigint NOT NULL,
	kind varchar(255) NOT NULL,
	name varchar(255) NOT NULL,
	hostname varchar(255),
	pid int NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	how text NOT NULL,
	released bigint NOT NULL,
	failed bigint NOT NULL,
	gone_at datetime(6) NOT NULL,
	KEY index_dray_gone_on_gone_at (gone_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 10 AND applied_at IS NULL;
