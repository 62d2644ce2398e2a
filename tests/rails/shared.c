#include "tests/rails/shared.h"

static int alive;

static const char classes[] =
	"  BothJob: {command: [sh, -c, 'echo \"dray $1\" >>effects', -, \"{0}\"]}\n"
	"  DrayJob: {command: [sh, -c, 'echo \"dray $1\" >>effects', -, \"{0}\"]}\n"
	"  DrayFail: {command: [sh, -c, 'echo why >&2; test -e ok || exit 3']}\n"
	"  RetryJob: {command: [sh, -c, 'echo \"dray attempt $DRAY_ATTEMPT\" >>effects; exit 3'], "
	"retry: {attempts: 9, wait: 1h, jitter: 0}}\n"
	"  SleepJob: {command: [sh, -c, 'echo \"start - $1 dray\" >>effects; sleep \"$2\"; "
	"echo \"end - $1 dray\" >>effects', -, \"{0}\", \"{1}\"]}\n"
	"  LimJob: {command: ['true'], queue: ruby, "
	"concurrency: {to: 2, key: \"{0}\", group: Shared, duration: 2m}}\n"
	"  OnlyDray: {command: [sh, -c, 'echo \"start $1 $2\" >>effects; sleep 0.05; "
	"echo \"end $1 $2\" >>effects', -, \"{0}\", \"{1}\"], "
	"concurrency: {to: 1, key: \"{0}\", duration: 2m}}\n"
	"  DrayLim: {command: [sh, -c, 'echo \"start $1 $2 dray $(date +%s.%N)\" >>effects; "
	"sleep 0.05; echo \"end $1 $2 dray $(date +%s.%N)\" >>effects', -, \"{0}\", \"{1}\"], "
	"concurrency: {to: 2, key: \"{0}\", group: Shared, duration: 2m}}\n";

void shared_alive(int seconds)
{
	alive = seconds;
}

struct site *shared_open_unadopted(struct test_db *test)
{
	struct site *site = site_open(test);
	const char *effects =
		console_path(site->arena, arena_printf(site->arena, "%s-effects", test->backend));

	alive = 30;
	site_jobs_yml(site, classes);
	assert_int_equal(symlink(effects, site_path(site, "effects")), 0);
	(void)ruby(site->arena, "use(%%q(%s)); schema", console_url(site->arena, site->url));
	return site;
}

struct site *shared_open(struct test_db *test)
{
	struct site *site = shared_open_unadopted(test);

	(void)site_dray(site, "db", "migrate");
	return site;
}

void shared_close(struct site *site)
{
	site_close(site);
}

void shared_start(struct site *site, const char *queues)
{
	size_t before;

	(void)site_rows(site, NULL, &before);
	site_queue_yml(
		site,
		arena_printf(site->arena,
			     "process_heartbeat_interval: 0.4\n"
			     "process_alive_threshold: %d\n"
			     "other_process_alive_threshold: %d\n"
			     "workers:\n"
			     "  - {queues: %s, threads: 4, polling_interval: 0.05}\n"
			     "dispatchers:\n"
			     "  - {polling_interval: 0.1, concurrency_maintenance_interval: 1}\n",
			     alive, alive, queues));
	site_start(site, before + 3);
}

pid_t shared_rails_start(struct site *site, const char *queues)
{
	size_t before;

	(void)site_rows(site, NULL, &before);
	const char *pid =
		ruby(site->arena,
		     "start_jobs(<<~YML, process_heartbeat_interval: 0.4.seconds, "
		     "process_alive_threshold: %d.seconds, shutdown_timeout: 5.seconds)\n"
		     "production:\n"
		     "  workers:\n"
		     "    - {queues: %s, threads: 4, polling_interval: 0.05}\n"
		     "  dispatchers:\n"
		     "    - {polling_interval: 0.1, concurrency_maintenance_interval: 1}\n"
		     "  queues: {ruby: {late_after: 60s}, '*': {late_after: 5m}}\n"
		     "  expect_hosts: []\n"
		     "YML\n",
		     alive, queues);
	site_await_rows(site, NULL, before + 3);
	return (pid_t)strtol(pid, NULL, 10);
}

void shared_rails_stop(struct site *site, pid_t supervisor)
{
	assert_string_equal(ruby(site->arena, "stop_jobs(%d)", (int)supervisor), "0");
}

void shared_rails_kill(struct site *site)
{
	(void)ruby(site->arena, "end_started");
}

int64_t shared_put(struct site *site, const char *arguments)
{
	return strtoll(ruby(site->arena, "put(%s)", arguments), NULL, 10);
}

/* effects */

const char *shared_effects(const struct site *site)
{
	return site_read(site, "effects");
}

size_t shared_effects_of(const struct site *site, const char *beginning)
{
	size_t count = 0;

	for (const char *line = shared_effects(site); *line != '\0'; line++) {
		count += strncmp(line, beginning, strlen(beginning)) == 0;
		line += strcspn(line, "\n");
	}
	return count;
}

void shared_await_effects(struct site *site, size_t count)
{
	site_until(site, shared_effects_of(site, "") >= count,
		   arena_printf(site->arena, "%zu effects", count));
}

void shared_each_once(const struct site *site, size_t count)
{
	unsigned char *seen = arena_alloc(site->arena, count);
	size_t lines = 0;

	for (const char *line = shared_effects(site); *line != '\0'; line++) {
		const char *number = line + strcspn(line, " ");
		size_t value = strtoul(number, NULL, 10);
		if (value >= count || ++seen[value] > 1)
			fail_msg("ran twice, or never was: %.80s", line);
		lines++;
		line += strcspn(line, "\n");
	}
	assert_int_equal(lines, count);
}

void shared_rails_content(struct site *site)
{
	const char *log = ruby(site->arena,
			       "logged.lines.grep(/error|exception/i)"
			       ".grep_v(/Error enqueuing recurring task/)%s.join", /* console.rb */
			       strstr(site->url, "mysql:") ? ".grep_v(/deadlock/i)" : "");

	if (*log != '\0')
		fail_msg("Rails has logged\n%s", log);
}
