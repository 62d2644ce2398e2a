-- refuse(name, reason, since, ends_at) ->
-- Sets a job aside, which the database has refused since then and now refused again.

-- @mysql
DELETE FROM dray_pauses WHERE kind = 'refused_before' AND name = :name;
INSERT INTO dray_pauses (kind, name, reason, created_at, ends_at)
VALUES ('refused', :name, :reason, :since, :ends_at)
ON DUPLICATE KEY UPDATE reason = VALUES(reason), ends_at = VALUES(ends_at);

-- @postgresql @sqlite
DELETE FROM dray_pauses WHERE kind = 'refused_before' AND name = :name;
INSERT INTO dray_pauses (kind, name, reason, created_at, ends_at)
VALUES ('refused', :name, :reason, :since, :ends_at)
ON CONFLICT (kind, name) DO UPDATE SET reason = excluded.reason, ends_at = excluded.ends_at;
