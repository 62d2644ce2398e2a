-- The foreign key of dray_pauses again, where its table's parent was dropped with its keys and made
-- anew. Numbers of processes then begin anew too: what was paused before its process began is
-- another's.

DELETE FROM dray_pauses WHERE process_id IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM solid_queue_processes p
	WHERE p.id = dray_pauses.process_id AND p.created_at <= dray_pauses.created_at
);

ALTER TABLE dray_pauses ADD CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
	REFERENCES solid_queue_processes (id) ON DELETE CASCADE;
