-- 004 pauses: who has paused what, why and until when. A paused queue is one of solid_queue_pauses;
-- its row here tells about it as long as both were made at the same time.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (4, 'pauses');

CREATE TABLE IF NOT EXISTS dray_pauses (
	kind varchar(255) NOT NULL,
	name varchar(255) COLLATE utf8mb4_bin NOT NULL,
	process_id bigint,
	reason text,
	who varchar(255),
	host varchar(255),
	created_at datetime(6) NOT NULL,
	ends_at datetime(6),
	PRIMARY KEY (kind, name),
	KEY index_dray_pauses_on_process_id (process_id),
	CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
		REFERENCES solid_queue_processes (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 4 AND applied_at IS NULL;
