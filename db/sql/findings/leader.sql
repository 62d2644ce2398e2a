-- leader() -> name, epoch, ends_at
-- Who leads the deployment, and until when; no row before the first.
-- read
-- rows
SELECT name, epoch, ends_at FROM dray_leaders WHERE id = 1;
