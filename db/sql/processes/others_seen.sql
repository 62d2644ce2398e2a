-- others_seen(kind, name, now) ->
-- Remembers a process of other software, unless one of its kind is remembered already.
INSERT INTO dray_others (kind, name, seen_at) VALUES (:kind, :name, :now)
ON CONFLICT (kind) DO NOTHING;
