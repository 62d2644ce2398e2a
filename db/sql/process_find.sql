-- process_find(name) -> process_id
-- read
-- rows
SELECT id FROM solid_queue_processes WHERE name = :name;
