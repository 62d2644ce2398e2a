-- gone_clear(before, limit) ->
-- Deletes some of what is known of processes that ended before this time: nobody looks back so
-- far.

-- @mysql
DELETE FROM dray_gone WHERE gone_at < :before ORDER BY gone_at LIMIT :limit;

-- @postgresql
DELETE FROM dray_gone WHERE ctid = ANY (ARRAY(
	SELECT ctid FROM dray_gone
	WHERE gone_at < :before ORDER BY gone_at LIMIT :limit {skip_locked}));

-- @sqlite
DELETE FROM dray_gone WHERE id IN (
	SELECT id FROM dray_gone WHERE gone_at < :before ORDER BY gone_at LIMIT :limit);
