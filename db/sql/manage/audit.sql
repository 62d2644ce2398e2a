-- audit(since, action, before, limit) -> id, action, target, reason, who, host, count, state, created_at
-- Lists what people have done since a time, the latest first, below an id.
-- read
-- rows
SELECT id, action, target, reason, who, host, count, state, created_at
FROM dray_audit
WHERE id < :before AND created_at >= :since AND (action = :action OR :action IS NULL)
ORDER BY id DESC LIMIT :limit;
