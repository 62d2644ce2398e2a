/* Rewrites tasks whose row for Rails is not as dray writes it: somebody has changed it in Rails. */
#include <string.h>

#include "common/process.h"
#include "queue/recurring/task.h"

static enum status keep(struct arena *arena, struct recurring_task *task,
			struct recurring_options *options, void *input, struct error *error)
{
	(void)arena;
	(void)task;
	(void)options;
	(void)input;
	(void)error;
	return STATUS_OK;
}

/* Is the row for Rails as this version writes it? A task that dray cannot read is left alone. */
static bool is_right(struct arena *arena, struct zones *zones, const struct recurring_task *task)
{
	const struct recurring_reading reading = { .zones = zones };
	struct recurring_options options = { 0 };
	struct recurring_task wanted = *task;
	struct recurring_timing timing;

	if (recurring_options_read(arena, task->settings, &options, NULL) != STATUS_OK ||
	    recurring_check(arena, &reading, task, &options, &timing, NULL) != STATUS_OK)
		return true;
	recurring_rails_dynamic(arena, timing.timer, zones, &wanted);
	if (wanted.own || task->own)
		return wanted.own == task->own;
	return strcmp(wanted.rails, task->rails) == 0;
}

/* Others may have removed it, or taken it over, meanwhile. */
static enum status mend(struct db *db, const char *key, const struct pause_note *note,
			size_t *mended, struct error *error)
{
	enum status status = recurring_change(db, key, keep, NULL, note, error);

	if (status == STATUS_OK)
		++*mended;
	return status == STATUS_NONE || status == STATUS_INVALID ? STATUS_OK : status;
}

enum status recurring_mend(struct db *db, size_t *mended, struct error *error)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	struct pause_note note;
	struct arena *arena = arena_new();
	struct zones *zones = zones_new(arena, NULL);
	struct recurring_changes changes;
	enum status status = recurring_changes(db, arena, true, &changes, error);

	*mended = 0;
	pause_note_init(&note, who, host);
	note.reason = "what Rails reads of it was not what dray writes";
	for (size_t i = 0; status == STATUS_OK && i < changes.dynamic_count; i++) {
		const struct recurring_dynamic *dynamic = &changes.dynamic[i];
		if (dynamic->since > 0 && !is_right(arena, zones, &dynamic->task))
			status = mend(db, dynamic->task.key, &note, mended, error);
	}
	arena_free(arena);
	return status;
}
