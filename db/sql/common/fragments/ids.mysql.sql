-- The JSON array of ids {it} as a table; its column is id.
JSON_TABLE({it}, '$[*]' COLUMNS (id bigint PATH '$'))
