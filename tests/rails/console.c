#include "tests/rails/console.h"

#include <fcntl.h>
#include <poll.h>

#include "common/text/text.h"
#include "tests/support/test.h"
#include "tests/support/wait.h"

#define PATIENCE (90 * CLOCK_SECOND)

static struct {
	pid_t pid; /* 0 = none */
	int input; /* we write */
	int output;
} console;

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		fail_msg("%s is not set", name);
	return value;
}

/* A path as it is below the small Debian's root. */
static const char *inside(const char *path)
{
	const char *root = variable("DRAY_TEST_RAILS_ROOT");

	if (strncmp(path, root, strlen(root)) != 0)
		fail_msg("%s is not in %s", path, root);
	return path + strlen(root);
}

const char *console_path(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", variable("DRAY_TEST_RAILS_PLACE"), name);
}

const char *console_url(struct arena *arena, const char *url)
{
	if (strncmp(url, "sqlite3:", 8) == 0)
		return arena_printf(
			arena,
			"sqlite3:%s?default_transaction_mode=immediate&timeout=20000&pool=30",
			inside(url + 8));
	size_t path = strcspn(url, "?");
	if (strncmp(url, "mysql:", 6) == 0)
		return arena_printf(arena, "mysql2:%.*s?encoding=utf8mb4&ssl_mode=disabled&pool=30",
				    (int)path - 6, url + 6);
	return arena_printf(arena, "%.*s?pool=30", (int)path, url);
}

/* beginning and end */

static void become(struct arena *arena, const char *backend, const char *gem)
{
	const char *place = inside(variable("DRAY_TEST_RAILS_PLACE"));
	const char *script = arena_printf(arena, "%s/console.rb", place);
	const char *user = arena_printf(arena, "--userspec=%u:%u", getuid(), getgid());
	const char *environment[] = {
		"env",
		"-i",
		"PATH=/usr/bin:/bin",
		"LANG=C.UTF-8",
		arena_printf(arena, "RUN=%s", place),
		arena_printf(arena, "SQ_GEM=%s", gem),
		arena_printf(arena, "RLOG=%s/%s-%s.log", place, backend, gem),
		arena_printf(arena, "EFFECTS=%s/%s-effects", place, backend),
		/* Nobody connects there: each case names its own (use). */
		strcmp(backend, "sqlite") == 0 ? "DATABASE_URL=sqlite3::memory:"
					       : "DATABASE_URL=postgres://127.0.0.1/none",
	};
	const char *argv[24];
	size_t used = 0;

	if (geteuid() != 0)
		argv[used++] = "sudo";
	argv[used++] = "/usr/sbin/chroot";
	argv[used++] = user;
	argv[used++] = variable("DRAY_TEST_RAILS_ROOT");
	for (size_t i = 0; i < sizeof(environment) / sizeof(environment[0]); i++)
		argv[used++] = environment[i];
	argv[used++] = "ruby";
	argv[used++] = script;
	argv[used] = NULL;
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

void console_start(const char *backend, const char *gem)
{
	int to[2];
	int from[2];

	console_end();
	struct arena *arena = arena_new();
	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (dup2(to[0], 0) < 0 || dup2(from[1], 1) < 0)
			_exit(126);
		become(arena, backend, gem);
	}
	close(to[0]);
	close(from[1]);
	console.pid = pid;
	console.input = to[1];
	console.output = from[0];
	arena_free(arena);
}

void console_end(void)
{
	if (console.pid == 0)
		return;
	close(console.input);
	(void)test_wait_exit(console.pid, 10 * CLOCK_SECOND);
	close(console.output);
	console.pid = 0;
}

/* questions and answers */

static void ask(const char *code)
{
	size_t length = strlen(code) + 1;

	while (length > 0) {
		ssize_t written = write(console.input, code, length);
		if (written <= 0)
			fail_msg("Rails has gone");
		code += written;
		length -= (size_t)written;
	}
}

/* Until the zero byte. */
static void hear(struct text *answer, int64_t deadline)
{
	char part[4096];

	do {
		struct pollfd wait = { .fd = console.output, .events = POLLIN };
		int64_t left = (deadline - clock_monotonic()) / CLOCK_MILLISECOND;
		if (left <= 0 || poll(&wait, 1, (int)left) <= 0)
			fail_msg("Rails does not answer");
		ssize_t got = read(console.output, part, sizeof(part));
		if (got <= 0)
			fail_msg("Rails has gone");
		text_append(answer, part, (size_t)got);
	} while (answer->data[answer->length - 1] != '\0');
}

const char *ruby(struct arena *arena, const char *format, ...)
{
	struct text answer = { 0 };
	va_list arguments;

	va_start(arguments, format);
	const char *code = arena_vprintf(arena, format, arguments);
	va_end(arguments);
	ask(code);
	hear(&answer, clock_monotonic() + PATIENCE);
	const char *result = arena_strdup(arena, answer.data);
	text_free(&answer);
	if (*result != '=')
		fail_msg("Rails, asked for\n%s\nanswers\n%s", code, result + 1);
	return result + 1;
}
