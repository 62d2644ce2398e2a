-- The time that comes {it} milliseconds after :now.
:now::timestamp + {it} * interval '1 millisecond'
