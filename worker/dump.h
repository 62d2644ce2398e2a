/* What a worker reports about itself on USR2. */
#ifndef DUMP_H
#define DUMP_H

#include "common/role.h"

/* role->dump. */
void worker_dump(const struct role_context *context);

#endif
