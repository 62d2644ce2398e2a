-- schema_applied() -> version, name, applied_at, adopted
-- What dray_migrations says; applied_at is NULL for a migration that was begun and not ended.
-- read
-- rows
SELECT version, name, applied_at, CASE WHEN adopted THEN 1 ELSE 0 END
FROM dray_migrations
ORDER BY version;
