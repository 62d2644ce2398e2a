#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "common/log/log.h"
#include "tests/support/sites/cli.h"

#define parse_line(line) test_json((struct test_result){ .output = (line) })

static void set_nonblocking(int fd, bool on)
{
	assert_int_equal(fcntl(fd, F_SETFL, on ? O_NONBLOCK : 0), 0);
}

static size_t drain(int fd, char *data, size_t size)
{
	size_t length = 0;
	ssize_t got;
	set_nonblocking(fd, true);
	while (length < size && (got = read(fd, data + length, size - length)) > 0)
		length += (size_t)got;
	return length;
}

/* Nobody reads: logging returns, and the next line that gets through is followed by the count. */
static void check_full(const int fds[2], bool nonblocking)
{
	static char data[1 << 20];
	char filler[4096];
	memset(filler, '\n', sizeof(filler));
	set_nonblocking(fds[1], true);
	while (write(fds[1], filler, sizeof(filler)) > 0)
		continue;
	while (write(fds[1], filler, 1) > 0)
		continue;
	set_nonblocking(fds[1], nonblocking);
	log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, fds[1] });
	for (int i = 0; i < 20; i++)
		log_event(LOG_INFO, "lost.line", LOG_INT("number", i));
	(void)drain(fds[0], data, sizeof(data));
	log_event(LOG_INFO, "seen.line", LOG_END);
	size_t length = drain(fds[0], data, sizeof(data) - 1);
	data[length] = '\0';
	char *end = strchr(data, '\n');
	assert_non_null(end);
	*end = '\0';
	json_t *seen = parse_line(data);
	json_t *count = parse_line(end + 1);
	assert_string_equal(test_json_text(seen, "event"), "seen.line");
	assert_string_equal(test_json_text(count, "event"), "log.lost");
	assert_int_equal(test_json_integer(count, "lines"), 20);
	json_decref(seen);
	json_decref(count);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

CASE(test_nobody_reads)
{
	int fds[2];
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
		check_full(fds, nonblocking == 1);
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
		check_full(fds, nonblocking == 1);
	}
}

/* A long line gets into a pipe with too little room in part: what follows begins a new line. */
CASE(test_torn_line)
{
	static char value[15000];
	static char data[1 << 17];
	int fds[2];
	memset(value, 'x', sizeof(value) - 1);
	assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
	assert_int_equal(fcntl(fds[1], F_SETPIPE_SZ, 8192), 8192);
	log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, fds[1] });
	log_event(LOG_INFO, value, LOG_TEXT("more", value));
	assert_true(drain(fds[0], data, sizeof(data)) >= 4096);
	log_event(LOG_INFO, "after", LOG_END);
	size_t length = drain(fds[0], data, sizeof(data) - 1);
	data[length] = '\0';
	assert_memory_equal(data, "\n{", 2);
	char *end = strchr(data + 1, '\n');
	*end = '\0';
	json_decref(parse_line(data + 1));
	json_decref(parse_line(end + 1));
	(void)close(fds[0]);
	(void)close(fds[1]);
}

/* The default action of SIGPIPE would end this process. */
CASE(test_reader_gone)
{
	int fds[2];
	char byte = 'x';
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			assert_int_equal(process_pipe(fds, false, NULL), STATUS_OK);
		else
			assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
		log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, fds[1] });
		(void)close(fds[0]);
		log_event(LOG_INFO, "unheard", LOG_END);
		(void)close(fds[1]);
	}
	log_event(LOG_INFO, "closed", LOG_END); /* and no descriptor at all */
	/* No SIGPIPE is left pending either, and others' SIGPIPE still works. */
	sigset_t pending;
	assert_int_equal(sigpending(&pending), 0);
	assert_int_equal(sigismember(&pending, SIGPIPE), 0);
	pid_t child = fork();
	if (child == 0) {
		if (process_pipe(fds, false, NULL) != STATUS_OK)
			_exit(1);
		(void)close(fds[0]);
		ssize_t written = write(fds[1], &byte, 1);
		_exit(written < 0 ? 2 : 3);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPIPE);
}

static int open_terminal(int *terminal)
{
	char name[64];
	int other = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(other >= 0);
	assert_int_equal(grantpt(other), 0);
	assert_int_equal(unlockpt(other), 0);
	assert_int_equal(ptsname_r(other, name, sizeof(name)), 0);
	*terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(*terminal >= 0);
	return other;
}

static void read_line(int other, char *line, size_t size)
{
	size_t length = 0;
	while (length == 0 || line[length - 1] != '\n') {
		assert_true(length < size - 1);
		assert_int_equal(read(other, line + length, 1), 1);
		length++;
	}
	line[length] = '\0';
}

/* The line about `event`; before it may stand the count of what an earlier case could not write. */
static void read_terminal(int other, const char *event, char *line, size_t size)
{
	do
		read_line(other, line, size);
	while (!strstr(line, event));
}

CASE(test_terminal)
{
	char line[1000];
	int terminal;
	int other = open_terminal(&terminal);
	struct log_options options = { LOG_INFO, LOG_AUTO, terminal };
	(void)unsetenv("NO_COLOR");
	log_configure(&options);
	log_event(LOG_ERROR, "coloured", LOG_TEXT("x", "\x1b[1m"));
	read_terminal(other, "coloured", line, sizeof(line));
	assert_non_null(strstr(line, " \x1b[31merror\x1b[0m dray["));
	assert_non_null(strstr(line, "x=\"\\u001b[1m\""));
	(void)setenv("NO_COLOR", "1", 1);
	log_configure(&options);
	log_event(LOG_ERROR, "plain", LOG_END);
	read_terminal(other, "plain", line, sizeof(line));
	assert_null(strchr(line, '\x1b'));
	options.format = LOG_FORMAT_JSON;
	log_configure(&options);
	log_event(LOG_ERROR, "json", LOG_END);
	read_terminal(other, "json", line, sizeof(line));
	json_decref(parse_line(line));
	(void)close(terminal);
	(void)close(other);
}
