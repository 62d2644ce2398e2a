/* What `dray check` has read: the files and the settings. */
#ifndef CHECK_SHOW_H
#define CHECK_SHOW_H

#include <jansson.h>

#include "cli/cli.h"

/* Arrays of `file`, `path`, `state`, `origin`; of `path`, `value`, `origin`. */
json_t *check_files_read(const struct cli *cli);
json_t *check_settings(struct cli *cli);

/* Prints the files, and of the settings those that differ from their defaults, or all. */
void check_show(const struct cli *cli, const json_t *settings, bool all);

#endif
