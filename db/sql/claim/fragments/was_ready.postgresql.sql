-- Since when the claimed job was ready.
taken.created_at
