-- gone_clear(before, limit) ->
-- Deletes some of what is known of processes that ended before this time: nobody looks back so
-- far.
DELETE FROM dray_gone WHERE ctid = ANY (ARRAY(
	SELECT ctid FROM dray_gone
	WHERE gone_at < :before ORDER BY gone_at LIMIT :limit {skip_locked}));
