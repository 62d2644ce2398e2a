-- The JSON array of ids {it} as a table in which each stands once; its column is id.
(SELECT DISTINCT x.id FROM {include:ids {it}} x)
