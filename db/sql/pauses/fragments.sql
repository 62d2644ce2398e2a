-- What several operations of pauses/ share (db/scripts/dialect.h).

-- @fragment pause_again
-- What is paused already stays paused since the same time, and what is told about its pause is new.

-- @mysql
ON DUPLICATE KEY UPDATE reason = VALUES(reason), who = VALUES(who),
	host = VALUES(host), ends_at = VALUES(ends_at)

-- @postgresql @sqlite
ON CONFLICT (kind, name) DO UPDATE SET reason = excluded.reason, who = excluded.who,
	host = excluded.host, ends_at = excluded.ends_at
