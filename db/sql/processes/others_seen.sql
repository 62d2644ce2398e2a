-- others_seen(kind, name, now) ->
-- Remembers a process of other software, unless one of its kind is remembered already.

-- @mysql
INSERT INTO dray_others (kind, name, seen_at) VALUES (:kind, :name, :now)
ON DUPLICATE KEY UPDATE name = dray_others.name;

-- @postgresql @sqlite
INSERT INTO dray_others (kind, name, seen_at) VALUES (:kind, :name, :now)
ON CONFLICT (kind) DO NOTHING;
