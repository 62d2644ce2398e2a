-- pause_name(kind, name, target, reason, who, host, ends_at, now) -> changed
-- Pauses a class, or a pattern of queues. What is paused already stays paused since the same
-- time, and what is told about its pause is new.
INSERT INTO dray_pauses (kind, name, reason, who, host, created_at, ends_at)
VALUES (:kind, :name, :reason, :who, :host, :now, :ends_at)
{include:pause_again};
{include:audit_done 'pause'};
-- rows
SELECT d.created_at = :now FROM dray_pauses d WHERE d.kind = :kind AND d.name = :name;
