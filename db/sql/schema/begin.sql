-- The tables of dray and Solid Queue, for an empty database. MySQL commits every statement by
-- itself; there, this text can be run again after it was interrupted.
BEGIN;
