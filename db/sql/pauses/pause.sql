-- pause(queue, target, reason, who, host, ends_at, now) -> changed
-- Pauses a queue by name. One that is paused already stays paused since the same time, and what
-- is told about its pause is new. The first statement locks its row, so that the others find it.

-- @mysql
-- Two spellings may be one queue, whose name is as it was first paused. A row of another queue
-- has the same id, because there are no more: that is refused.
INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES (:queue, :now)
ON DUPLICATE KEY UPDATE created_at = IF(solid_queue_pauses.queue_name = VALUES(queue_name),
	solid_queue_pauses.created_at, NULL);
INSERT INTO dray_pauses (kind, name, reason, who, host, created_at, ends_at)
VALUES ('queue', (SELECT queue_name FROM solid_queue_pauses WHERE queue_name = :queue),
	:reason, :who, :host,
	(SELECT created_at FROM solid_queue_pauses WHERE queue_name = :queue), :ends_at)
ON DUPLICATE KEY UPDATE name = VALUES(name), reason = VALUES(reason), who = VALUES(who),
	host = VALUES(host), created_at = VALUES(created_at), ends_at = VALUES(ends_at);
{include:audit_done 'pause'};
-- rows
SELECT created_at = :now FROM solid_queue_pauses WHERE queue_name = :queue;

-- @postgresql @sqlite
INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES (:queue, :now)
ON CONFLICT (queue_name) DO UPDATE SET created_at = solid_queue_pauses.created_at;
INSERT INTO dray_pauses (kind, name, reason, who, host, created_at, ends_at)
VALUES ('queue', (SELECT queue_name FROM solid_queue_pauses WHERE queue_name = :queue),
	:reason, :who, :host,
	(SELECT created_at FROM solid_queue_pauses WHERE queue_name = :queue), :ends_at)
ON CONFLICT (kind, name) DO UPDATE SET reason = excluded.reason, who = excluded.who,
	host = excluded.host, created_at = excluded.created_at, ends_at = excluded.ends_at;
{include:audit_done 'pause'};
-- rows
SELECT created_at = :now FROM solid_queue_pauses WHERE queue_name = :queue;
