#ifndef DISPATCH_H
#define DISPATCH_H

#include "queue/look/job.h"

/*
 * Moves up to batch_size due jobs, earliest first, from scheduled to ready, or to blocked when no
 * slot of their key is free (or deletes them, if their class discards such jobs); *moved is how
 * many rows were examined: after a full batch there may be more.
 */
enum status dispatch(struct db *db, int batch_size, int64_t *moved, struct error *error) MUST_CHECK;

#endif
