/* What the configuration says about jobs whose process was lost, as the queue wants to know it. */
#ifndef LOSSES_H
#define LOSSES_H

#include "common/text/text.h"
#include "config/config.h"
#include "queue/processes/loss.h"

/* The policy; its classes are written into `classes`, which must outlive it. */
struct loss_policy losses_policy(const struct config *config, struct text *classes);

/* After how much silence a process is presumed dead; the one with the id `self` never is. */
struct prune losses_prune(const struct config *config, int64_t self);

/* The end of a process by its wait status, as Solid Queue words it: "Exited with status 1.". */
void losses_describe(int status, char *text, size_t size);

#endif
