/* Any bytes as queue.yml or, after a "j", jobs.yml: loaded and shown, or refused in lines. */
#include "config/files/reader.h"
#include "tests/fuzz/fuzz.h"

static void check_problems(struct reader *reader)
{
	struct config_problems problems = { 0 };
	bool error = false;
	report_list(reader->report, ~0U, &problems);
	for (size_t i = 0; i < problems.count; i++) {
		error |= !problems.list[i].warning;
		require(!strchr(problems.list[i].text, '\n'));
		require(strncmp(problems.list[i].text, "fuzz.yml:", 9) == 0);
	}
	require(error == report_failed(reader->report));
}

static void check_values(struct reader *reader)
{
	const struct config_value *values = NULL;
	size_t count = config_show(reader->config, &values);
	for (size_t i = 0; i < count; i++)
		require(values[i].path && values[i].value && values[i].origin);
	for (size_t i = 0; i < reader->config->class_count; i++) {
		const struct config_class *class = &reader->config->classes[i];
		require(config_class_find(reader->config, class->name) == class);
		require(!class->command != !class->module);
	}
}

FUZZ()
{
	bool jobs = size > 0 && data[0] == 'j';
	struct reader reader = { .arena = arena, .report = report_new(arena) };
	reader.config = arena_alloc(arena, sizeof(*reader.config));
	reader.config->arena = arena;
	reader.config->environment = "development";
	reader.config->root = ".";
	reader.config->origins = arena_alloc(arena, sizeof(*reader.config->origins));
	(void)setenv("A", "3", 1);

	struct node *root = reader_parse(&reader, "fuzz.yml", text, size);
	if (jobs)
		jobs_read(&reader, root);
	else
		queue_read(&reader, root);
	check_problems(&reader);
	if (!report_failed(reader.report))
		check_values(&reader);
}
