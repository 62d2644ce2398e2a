-- The time that comes {it} milliseconds after :now.
DATE_ADD(:now, INTERVAL {it} * 1000 MICROSECOND)
