/* What a worker tells about itself when asked (USR2). */
#ifndef DUMP_H
#define DUMP_H

#include "common/role.h"

/* role->dump. */
void worker_dump(const struct role_context *context);

#endif
