-- @mysql
-- A database with all migrations of before the first release, 000 to 018, which have made what 019 makes:
-- theirs become its row. Nothing here is DDL, so one transaction can hold it: there is no state between.

START TRANSACTION;

INSERT INTO dray_migrations (version, name, applied_at, adopted)
SELECT 19, 'tables', UTC_TIMESTAMP(6), adopted
FROM dray_migrations WHERE version = 1;

DELETE FROM dray_migrations WHERE version < 19;

COMMIT;

-- @postgresql @sqlite
-- A database with all migrations of before the first release, 000 to 018, which have made what 019 makes:
-- theirs become its row. In a transaction: there is no state between.

INSERT INTO dray_migrations (version, name, applied_at, adopted)
SELECT 19, 'tables', CURRENT_TIMESTAMP, adopted
FROM dray_migrations WHERE version = 1;

DELETE FROM dray_migrations WHERE version < 19;
