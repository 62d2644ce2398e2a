-- The process is paused, or has no row any more: it was presumed dead.
EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
OR NOT EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)
