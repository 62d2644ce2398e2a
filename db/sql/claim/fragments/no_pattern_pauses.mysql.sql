-- No pattern pauses the queue {it}, unless something is said of it by name: that comes first.
(SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
	WHERE t.kind = 'pattern'
		AND LEFT(CONVERT({it} USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
			LEFT(t.name, CHAR_LENGTH(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
			AND e.name = CONVERT({it} USING utf8mb4) COLLATE utf8mb4_bin)) = 0
