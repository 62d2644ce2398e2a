-- pause_under(queue, pattern, since, now) ->
-- Pauses a queue by name because a pattern pauses it, with what is known of the pattern. NONE
-- when the pattern's pause is over: its row is locked first, so that resuming the pattern
-- comes before or after this. A queue that has been resumed meanwhile is left out: it has a row
-- that says so.
-- guard
UPDATE dray_pauses SET host = host
WHERE kind = 'pattern' AND name = :pattern AND created_at = :since;

-- @mysql
INSERT INTO solid_queue_pauses (queue_name, created_at)
SELECT :queue, :now FROM dray_pauses t
WHERE t.kind = 'pattern' AND t.name = :pattern AND NOT EXISTS (
	SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue)
ON DUPLICATE KEY UPDATE created_at = IF(solid_queue_pauses.queue_name = VALUES(queue_name),
	solid_queue_pauses.created_at, NULL);
INSERT INTO dray_pauses (kind, name, reason, who, host, created_at, ends_at)
SELECT 'queue', s.queue_name, t.reason, t.who, t.host, s.created_at, t.ends_at
FROM dray_pauses t CROSS JOIN solid_queue_pauses s
WHERE t.kind = 'pattern' AND t.name = :pattern AND s.queue_name = :queue
ON DUPLICATE KEY UPDATE created_at = dray_pauses.created_at;

-- @postgresql @sqlite
INSERT INTO solid_queue_pauses (queue_name, created_at)
SELECT :queue, :now FROM dray_pauses t
WHERE t.kind = 'pattern' AND t.name = :pattern AND NOT EXISTS (
	SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = CAST(:queue AS varchar))
ON CONFLICT (queue_name) DO NOTHING;
INSERT INTO dray_pauses (kind, name, reason, who, host, created_at, ends_at)
SELECT 'queue', s.queue_name, t.reason, t.who, t.host, s.created_at, t.ends_at
FROM dray_pauses t CROSS JOIN solid_queue_pauses s
WHERE t.kind = 'pattern' AND t.name = :pattern AND s.queue_name = :queue
ON CONFLICT (kind, name) DO NOTHING;
