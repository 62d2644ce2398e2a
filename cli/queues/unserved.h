/* Ready jobs that no worker takes, because none knows their class: what is to be done about them.
 */
#ifndef CLI_UNSERVED_H
#define CLI_UNSERVED_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/processes/unserved.h"

/* A line for each of them. */
void unserved_print(const struct cli *cli, const struct unserveds *unserved);

/* An array of `queue`, `class`, `jobs`, `text`. */
json_t *unserved_json(const struct cli *cli, const struct unserveds *unserved);

#endif
