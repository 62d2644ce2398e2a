-- The last attempt of the job {it} failed, and the job was retried.
{include:last_outcome {it}} = 'retried'
