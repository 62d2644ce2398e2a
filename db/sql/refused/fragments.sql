-- What several operations of refused/ share (db/scripts/dialect.h).

-- @fragment is_not_set_aside
-- The job {it} is not set aside because the database refused it (queue/refused).

-- @mysql
(SELECT COUNT(*) FROM dray_pauses f FORCE INDEX (PRIMARY) WHERE f.kind = 'refused'
	AND f.name = CONVERT({it} USING utf8mb4) COLLATE utf8mb4_bin) = 0

-- @postgresql
{it} <> ALL (ARRAY(SELECT f.name::bigint FROM dray_pauses f WHERE f.kind = 'refused'))

-- @sqlite
{it} NOT IN (SELECT CAST(f.name AS integer) FROM dray_pauses f WHERE f.kind = 'refused')
