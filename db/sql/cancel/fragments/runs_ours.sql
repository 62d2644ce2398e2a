-- The process p of a claim stops what is cancelled, or is gone, so that it is we who find what it left.
(p.id IS NULL OR p.metadata LIKE '%"cancels":true%')
