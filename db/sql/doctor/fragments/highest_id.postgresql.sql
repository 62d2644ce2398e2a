-- The table {it} and the highest number of its rows.
(SELECT tableoid AS relation, id AS most FROM {it} ORDER BY id DESC LIMIT 1)
