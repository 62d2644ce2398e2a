-- 005 audit: what people have done to queues and jobs: who, where, when, why, and to how many.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (5, 'audit');

CREATE TABLE IF NOT EXISTS dray_audit (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	action varchar(255) NOT NULL,
	target text NOT NULL,
	reason text,
	who varchar(255),
	host varchar(255),
	count bigint NOT NULL,
	state varchar(255) NOT NULL,
	created_at datetime(6) NOT NULL,
	KEY index_dray_audit_on_created_at (created_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 5 AND applied_at IS NULL;
