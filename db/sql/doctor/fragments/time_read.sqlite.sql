-- The time {it} in the form that Rails writes, as far as SQLite reads it as a time (a number is
-- seconds since 1970, or a Julian day), or else :now.
COALESCE((
	SELECT replace(read.time || '000', '.000000', '') FROM (
		SELECT CASE WHEN typeof({it}) IN ('integer', 'real')
			THEN strftime('%Y-%m-%d %H:%M:%f', {it}, 'auto')
			ELSE strftime('%Y-%m-%d %H:%M:%f', {it}) END AS time) read
	WHERE read.time >= '0'), :now)
