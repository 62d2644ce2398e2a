-- What becomes of the job j of a lost run f: `lost`, it runs again; or, if it was lost more often (l) than
-- it survives, what the end of its run says, `retried` or `discarded`, or else `failed`.
CASE WHEN l.losses <= {include:losses_survived} THEN 'lost'
	ELSE COALESCE(f.value ->> 'fate', 'failed') END
