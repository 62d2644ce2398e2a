/* What Rails reads of tasks: its own parser's answers, and nothing that it cannot read. */
#include "tests/rails/shared.h"
#include "tests/support/model/fugit_model.h"

#define TABLE       SOURCE_DIR "/tests/unit/schedule_rails.txt"
#define OCCURRENCES 3
#define MADE        2000 /* random schedules: those of tests/unit/model/schedules.txt, and more */
#define MADE_ASKED  250  /* at once, for Ruby to answer in time */
#define FEW         5    /* of so many of them one is written for Rails: it takes its time */
#define ASKED       50   /* at once, for Rails to answer in time */
#define START       (INT64_C(1767225600) * CLOCK_SECOND) /* 2026-01-01 00:00 UTC */

/* Clocks change there in spring, and Rails' slips of half a year are not ours. */
#define END (INT64_C(1772409600) * CLOCK_SECOND) /* 2026-03-02 */

/* A schedule as people write it, and what Rails is to read of it. */
struct reading {
	const struct schedule *schedule;
	const char *text;
};

struct readings {
	struct arena *arena;
	struct zones *zones;
	struct reading *all;
	size_t count, room;
	size_t none;
};

static void add(struct readings *readings, const char *zone, const char *text)
{
	struct schedule_request request = { .text = text, .key = "task", .zones = readings->zones };
	const struct schedule *schedule = NULL;

	if (zones_find_setting(readings->zones, zone, &request.zone, NULL) != STATUS_OK ||
	    schedule_parse(readings->arena, &request, &schedule, NULL, NULL) != STATUS_OK)
		return;
	const char *rails = schedule_rails(readings->arena, schedule, readings->zones);
	readings->none += rails == NULL;
	if (!rails)
		return;
	assert_true(readings->count < readings->room);
	readings->all[readings->count++] = (struct reading){ schedule, rails };
}

static void read_table(struct readings *readings)
{
	FILE *file = fopen(TABLE, "re");
	char line[1024];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *rest = line;
		const char *zone = strsep(&rest, "\t");
		if (line[0] != '#' && rest)
			add(readings, arena_strdup(readings->arena, zone),
			    arena_strdup(readings->arena, strsep(&rest, "\t")));
	}
	assert_int_equal(fclose(file), 0);
}

/* What fugit makes of random schedules is what we make of them; a few are written for it. */
static void read_made(struct readings *readings)
{
	const struct world world = { readings->arena, readings->zones };

	for (size_t made = 0; made < MADE; made += MADE_ASKED) {
		char *lines =
			arena_strdup(readings->arena,
				     ruby(readings->arena, "schedules(%d, %d)", MADE_ASKED, MADE));
		assert_int_equal(fugit_model_check(&world, lines), MADE_ASKED);
		for (size_t i = 0; *lines; i++) {
			char *line = strsep(&lines, "\n");
			const char *text = strsep(&line, "\t");
			if (i % FEW != 0)
				continue;
			add(readings, "UTC", text);
			add(readings, "Europe/Madrid", text);
		}
	}
}

static void check(const struct schedule *schedule, const char *answer)
{
	char *rest = NULL;
	int64_t at = START;

	if (strncmp(answer, "true ", 5) != 0)
		fail_msg("\"%s\": %.100s", schedule->text, answer);
	rest = (char *)answer + 5;
	for (int i = 0; i < OCCURRENCES; i++) {
		struct schedule_occurrence occurrence;
		int64_t theirs = strtoll(rest, &rest, 10);
		if (!schedule_next(schedule, at, &occurrence) || occurrence.instant >= END)
			return;
		at = occurrence.instant;
		if (at / CLOCK_SECOND != theirs)
			fail_msg("\"%s\": occurrence %d is %lld, to Rails %lld", schedule->text, i,
				 (long long)(at / CLOCK_SECOND), (long long)theirs);
	}
}

static const char question[] =
	"<<'TEXT'.lines.map(&:chomp).map { |text|\n%sTEXT\n"
	"  task = SolidQueue::RecurringTask.new(key: 'a', class_name: 'BothJob', schedule: text)\n"
	"  at = Time.utc(2026)\n"
	"  [task.valid?, *%d.times.map { at = task.next_time_after(at) }.map(&:to_i)].join(' ')\n"
	"}.join(%%q(\n))";

static void ask(const struct readings *readings, size_t first)
{
	size_t end = first + ASKED < readings->count ? first + ASKED : readings->count;
	struct text texts = { 0 };

	for (size_t i = first; i < end; i++)
		text_printf(&texts, "%s\n", readings->all[i].text);
	char *answers = arena_strdup(
		readings->arena, ruby(readings->arena, question, text_string(&texts), OCCURRENCES));
	text_free(&texts);
	for (size_t i = first; i < end; i++)
		check(readings->all[i].schedule, strsep(&answers, "\n"));
}

/* It does not depend on the database. */
SHARED_CASE(the_parser_reads_what_is_written_for_it)
{
	struct readings readings = { .arena = site->arena,
				     .zones = zones_new(site->arena, NULL),
				     .room = 4000 };

	readings.all = arena_array(site->arena, readings.room, sizeof(*readings.all));
	read_table(&readings);
	read_made(&readings);
	assert_true(readings.count > 300 && readings.none > 0);
	for (size_t i = 0; i < readings.count; i += ASKED)
		ask(&readings, i);
}

#define ROWS "SELECT count(*) FROM solid_queue_recurring_tasks"

static const char can_be_read[] = "SolidQueue::RecurringTask.all.map { |task| "
				  "[task.valid?, task.next_time.to_i > 0] }.flatten.uniq.inspect";

/* What dray alone can say is none of Rails' business, and what it cannot read is mended. */
SHARED_CASE(what_rails_cannot_say_is_in_our_table)
{
	(void)site_dray(site, "recurring", "add", "odd", "--schedule", "every other day", "--class",
			"BothJob");
	(void)site_dray(site, "recurring", "add", "even", "--schedule", "every 2 weeks", "--class",
			"BothJob");
	assert_int_equal(site_int(site, ROWS), 1);
	assert_string_equal(ruby(site->arena, "%s", can_be_read), "[true]");
	assert_non_null(strstr(site_dray(site, "recurring", "list"), "odd"));
	(void)ruby(site->arena, "SolidQueue::RecurringTask.update_all(schedule: 'every 2 weeks')");
	(void)site_dray(site, "db", "migrate");
	assert_string_equal(ruby(site->arena, "%s", can_be_read), "[true]");
	assert_int_equal(site_int(site, ROWS), 1);
}

#define EACH 12

/* To Rails' dispatcher a class that Ruby does not have is without limits: it makes all ready. */
SHARED_CASE(limits_hold_for_classes_that_ruby_lacks)
{
	pid_t rails = shared_rails_start(site, "[ruby]");
	struct text lines = { 0 };

	site_queue_yml(site, "process_heartbeat_interval: 0.4\n"
			     "process_alive_threshold: 30\nother_process_alive_threshold: 30\n"
			     "workers: [{queues: [dray], threads: 4, polling_interval: 0.05}]\n");
	site_start(site, 5);
	for (int i = 0; i < EACH; i++)
		text_printf(&lines,
			    "{\"class\": \"OnlyDray\", \"queue\": \"dray\", \"arguments\": "
			    "[\"k\", %d], \"in\": 0.5}\n",
			    i);
	(void)site_must(site, text_string(&lines),
			(const char *[]){ "enqueue", "--bulk", "-", NULL });
	text_free(&lines);
	site_await_jobs(site, JOB_FINISHED, EACH);
	/* Every effect is a start or the end of the one before. */
	int running = 0;
	for (const char *line = shared_effects(site); *line != '\0'; line++) {
		running += strncmp(line, "start ", 6) == 0 ? 1 : -1;
		if (running > 1)
			fail_msg("two at once: %.80s", line);
		line += strcspn(line, "\n");
	}
	assert_int_equal(shared_effects_of(site, "start "), EACH);
	shared_rails_content(site);
	shared_rails_stop(site, rails);
}

/* Rails fires everybody's dynamic tasks, and logs an error where Ruby has no such class. */
SHARED_CASE(commands_added_at_run_time_are_not_fired_by_rails)
{
	(void)site_dray(site, "recurring", "add", "command", "--schedule", "* * * * * *",
			"--command", "true");
	(void)site_dray(site, "recurring", "add", "both", "--schedule", "* * * * * *", "--class",
			"BothJob", "--args", "[1]");
	const char *pid =
		ruby(site->arena, "start_jobs(<<~YML, %%q())\nproduction:\n  scheduler: "
				  "{dynamic_tasks_enabled: true, polling_interval: 0.5}\nYML\n");
	site_await_rows(site, NULL, 2);
	site_await_least(site,
			 "SELECT count(*) FROM solid_queue_recurring_executions WHERE "
			 "task_key = 'both'",
			 2);
	shared_rails_stop(site, (pid_t)strtol(pid, NULL, 10));
	shared_rails_content(site);
	assert_count(site, 0, "solid_queue_jobs WHERE class_name <> 'BothJob'");
}

SHARED_CASES(schedules,
	     { .name = "rule 18: the_parser_reads_what_is_written_for_it",
	       .run = the_parser_reads_what_is_written_for_it,
	       .start = TEST_EMPTY,
	       .only = "sqlite" },
	     RULE("18", what_rails_cannot_say_is_in_our_table),
	     RULE("18", commands_added_at_run_time_are_not_fired_by_rails),
	     RULE("6", limits_hold_for_classes_that_ruby_lacks));
