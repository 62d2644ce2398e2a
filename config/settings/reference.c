#include "config/files/reader.h"

struct chapter {
	const struct settings *settings;
	const char *title;
};

static const struct chapter chapters[] = {
	{ &queue_settings, "queue.yml: a section" },
	{ &worker_settings, "queue.yml: an entry of workers" },
	{ &dispatcher_settings, "queue.yml: an entry of dispatchers" },
	{ &scheduler_settings, "queue.yml: scheduler" },
	{ &database_settings, "queue.yml: database" },
	{ &log_settings, "queue.yml: log" },
	{ &jobs_settings, "jobs.yml" },
	{ &class_settings, "jobs.yml: defaults and each of jobs" },
	{ &limits_settings, "jobs.yml: limits" },
	{ &stop_settings, "jobs.yml: stop" },
	{ &concurrency_settings, "jobs.yml: concurrency" },
	{ &retry_settings, "jobs.yml: retry" },
	{ &task_settings, "recurring.yml: each task" },
	{ &dst_settings, "recurring.yml: dst" },
};

static void write_row(FILE *file, struct arena *arena, const struct setting *row)
{
	static const char *const fates[] = {
		[SETTING_IGNORED] = "accepted and ignored", [SETTING_REFUSED] = "refused"
	};
	bool foreign = row->type == SETTING_IGNORED || row->type == SETTING_REFUSED;
	fprintf(file, "| `%s` | %s | %s%s%s | %s |\n", row->key,
		foreign ? fates[row->type] : setting_expected(row, arena), row->initial ? "`" : "",
		row->initial ? row->initial : "", row->initial ? "`" : "", row->description);
}

void reference_write(FILE *file)
{
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof(chapters) / sizeof(chapters[0]); i++) {
		const struct settings *settings = chapters[i].settings;
		fprintf(file,
			"%s### %s\n\n| key | takes | default | meaning |\n|---|---|---|---|\n",
			i ? "\n" : "", chapters[i].title);
		for (size_t j = 0; j < settings->count; j++)
			write_row(file, arena, &settings->rows[j]);
	}
	arena_free(arena);
}
