/*
 * Any bytes as recurring.yml: the file loads or there is a mistake to report, in one line each and
 * within the file. Every task that has loaded has a schedule that can be asked, times in order, and
 * something to run.
 */
#include "common/clock.h"
#include "config/files/reader.h"
#include "schedule/schedule.h"
#include "tests/fuzz/fuzz.h"

#define FILE_NAME "fuzz.yml"
#define NOW       (INT64_C(1772000000) * CLOCK_SECOND) /* 2026-02-25 */

/* Does it begin with the file's name and a place in it? */
static void check_place(const char *text, size_t lines)
{
	char *end = NULL;
	require(strncmp(text, FILE_NAME ":", sizeof(FILE_NAME)) == 0);
	unsigned long line = strtoul(text + sizeof(FILE_NAME), &end, 10);
	require(*end == ':' && line >= 1 && line <= lines);
	require(strtoul(end + 1, &end, 10) >= 1 && *end == ':');
}

static void check_problems(struct reader *reader, size_t lines)
{
	struct config_problems problems = { 0 };
	bool error = false;
	report_list(reader->report, ~0U, &problems);
	for (size_t i = 0; i < problems.count; i++) {
		error |= !problems.list[i].warning;
		require(!strchr(problems.list[i].text, '\n'));
		check_place(problems.list[i].text, lines);
	}
	require(error == report_failed(reader->report));
}

static void check_work(const struct config *config, const struct config_task *task)
{
	const char *name = task->class;
	if (!name || !*name)
		abort();
	const struct config_class *class = config_class_find(config, name);
	if (!task->command)
		return;
	require(strncmp(name, "recurring:", 10) == 0 && task->queue);
	require(class && class->command_count == task->command_count && task->command_count > 0);
}

static void check_task(const struct config *config, const struct config_task *task)
{
	struct schedule_occurrence occurrence = { .instant = NOW };
	require(task->key && *task->key && task->schedule && task->timer);
	require(task->starts <= task->ends && task->misfire_limit > 0 && task->jitter >= 0);
	check_work(config, task);
	if (schedule_next(task->timer, NOW, &occurrence))
		require(occurrence.instant > NOW);
}

static void check_tasks(const struct reader *reader)
{
	struct config *config = reader->config;
	const struct config_value *values = NULL;
	size_t count = config_show(config, &values);
	for (size_t i = 0; i < count; i++)
		require(values[i].path && values[i].value && values[i].origin);
	for (size_t i = 0; config->scheduler && i < config->scheduler->task_count; i++)
		check_task(config, &config->scheduler->tasks[i]);
}

static size_t count_lines(const char *text)
{
	size_t lines = 2; /* a mistake at the end may be in the line behind it */
	for (; *text; text++)
		lines += *text == '\n' || *text == '\r';
	return lines;
}

FUZZ()
{
	struct reader reader = { .arena = arena, .report = report_new(arena) };
	reader.config = arena_alloc(arena, sizeof(*reader.config));
	reader.config->arena = arena;
	reader.config->environment = "development";
	reader.config->root = ".";
	reader.config->origins = arena_alloc(arena, sizeof(*reader.config->origins));
	(void)setenv("A", "3", 1);
	(void)setenv("TZ", "Europe/Madrid", 1);

	static const char jobs[] = "jobs: {A: {command: [echo], queue: a}}\n";
	jobs_read(&reader, reader_parse(&reader, "jobs.yml", jobs, sizeof(jobs) - 1));
	recurring_read(&reader, reader_parse(&reader, FILE_NAME, text, size));
	check_problems(&reader, memchr(text, 0, size) ? SIZE_MAX : count_lines(text));
	if (!report_failed(reader.report))
		check_tasks(&reader);
}
