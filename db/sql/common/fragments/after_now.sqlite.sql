-- The time that comes {it} milliseconds after :now.
strftime('%Y-%m-%d %H:%M:%f', :now, ({it} / 1000.0) || ' seconds')
