-- 004 pauses: who has paused what, why and until when. A paused queue is one of solid_queue_pauses;
-- its row here tells about it as long as both were made at the same time.

CREATE TABLE dray_pauses (
	kind varchar NOT NULL,
	name varchar NOT NULL,
	process_id bigint,
	reason text,
	who varchar,
	host varchar,
	created_at datetime(6) NOT NULL,
	ends_at datetime(6),
	PRIMARY KEY (kind, name),
	CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
		REFERENCES solid_queue_processes (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX index_dray_pauses_on_process_id ON dray_pauses (process_id);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (4, 'pauses', strftime('%Y-%m-%d %H:%M:%f', 'now'));
