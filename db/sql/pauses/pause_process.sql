-- pause_process(name, target, reason, who, host, ends_at, now) -> changed
-- Pauses a worker's process, as pause_name does; the pause goes with the process. No row when
-- there is no such process.
INSERT INTO dray_pauses (kind, name, process_id, reason, who, host, created_at, ends_at)
SELECT 'process', p.name, p.id, :reason, :who, :host, :now, :ends_at
FROM solid_queue_processes p WHERE p.name = :name AND p.kind = 'Worker' ORDER BY p.id DESC LIMIT 1
{include:pause_again};
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
SELECT 'pause', :target, :reason, :who, :host, 1, 'done', :now
FROM dray_pauses d WHERE d.kind = 'process' AND d.name = :name;
-- rows
SELECT d.created_at = :now FROM dray_pauses d WHERE d.kind = 'process' AND d.name = :name;
