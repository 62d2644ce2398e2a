-- nothing() -> none
-- Stands for a script that is left out.
-- read
-- rows
SELECT x.none FROM (SELECT 1 AS none) x WHERE x.none = 0;
