#include "cli/queues/unserved.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/classes.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"

static const char *describe(const struct cli *cli, const struct unserved *one)
{
	const char *remedy =
		class_declared(cli, one->class_name)
			? "jobs.yml has it now, so run `dray reload`"
			: arena_printf(cli->arena,
				       "start a worker that does, or add it to jobs.yml and run "
				       "`dray reload`; `dray discard --class %s` deletes its jobs",
				       one->class_name);

	return arena_printf(cli->arena,
			    "Unserved on the queue %s: %" PRId64
			    " job%s of the class %s, which no worker there knows: %s.",
			    one->queue, one->jobs, one->jobs == 1 ? "" : "s", one->class_name,
			    remedy);
}

void unserved_print(const struct cli *cli, const struct unserveds *unserved)
{
	for (size_t i = 0; i < unserved->count; i++)
		(void)printf("%s\n", cell_clean(cli->arena, describe(cli, &unserved->list[i])));
}

json_t *unserved_json(const struct cli *cli, const struct unserveds *unserved)
{
	json_t *list = json_array();

	for (size_t i = 0; i < unserved->count; i++) {
		const struct unserved *one = &unserved->list[i];
		json_array_append_new(list, json_pack("{s:o, s:o, s:I, s:o}", "queue",
						      value_text(one->queue), "class",
						      value_text(one->class_name), "jobs",
						      (json_int_t)one->jobs, "text",
						      value_text(describe(cli, one))));
	}
	return list;
}
