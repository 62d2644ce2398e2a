-- clear_next(before, class_name, queue, limit) -> job_id
-- Lists the jobs that clear_finished would delete next, and locks them where rows are locked.

-- @mysql
-- rows
{include:clearable};

-- @postgresql
-- rows
SELECT id FROM ({include:clearable}) old
UNION ALL
SELECT id FROM ({include:clearable_odd}) odd;

-- @sqlite
-- read
-- rows
SELECT id FROM ({include:clearable}) old
UNION ALL
SELECT id FROM ({include:clearable_odd}) odd;
