-- schema_applied() -> version, name, applied_at, adopted, obstacle
-- What dray_migrations says; applied_at is NULL for a migration that was begun and not ended. What
-- keeps this login from working is looked for on PostgreSQL.
-- read
-- rows
SELECT version, name, applied_at, CASE WHEN adopted THEN 1 ELSE 0 END, NULL
FROM dray_migrations
ORDER BY version;
