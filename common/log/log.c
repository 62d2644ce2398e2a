/*
 * One line is one event.
 *
 * A line is built on the stack: no memory is allocated and no lock taken, so that a child forked
 * from a threaded process may log. The options are separate atomics: a line that is being written
 * while they change may mix old and new ones, which does no harm. A finished line leaves without
 * blocking for ever when the other end does not read, and without SIGPIPE when it is gone; lines
 * that were lost are counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/text.h"

/* A finished line, out of the process */

#define PATIENCE (100 * CLOCK_MILLISECOND)

static _Atomic uint64_t lost_lines;
static _Atomic bool torn; /* the last line was written in part: the next begins with a newline */

/* Lines lost since the last call, for a report of them. */
static uint64_t take_lost(void)
{
	return atomic_exchange(&lost_lines, 0);
}

static void add_lost(uint64_t lines)
{
	atomic_fetch_add(&lost_lines, lines);
}

/* Would a write not block? A reader that does not read is waited for only once. */
static bool wait_writable(int fd, int64_t deadline)
{
	struct pollfd item = { .fd = fd, .events = POLLOUT };
	int64_t left = deadline - clock_monotonic();
	int timeout = left > 0 ? (int)(left / CLOCK_MILLISECOND) + 1 : 0;
	int ready = poll(&item, 1, timeout);
	while (ready < 0 && errno == EINTR)
		ready = poll(&item, 1, 0);
	return ready > 0;
}

/* A writable pipe is certain to take PIPE_BUF bytes without blocking, but no more. */
static size_t piece_of(int fd, size_t length)
{
	struct stat status;
	bool whole = length <= PIPE_BUF || fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode);
	return whole ? length : PIPE_BUF;
}

static ssize_t write_piece(int fd, const char *data, size_t length)
{
	ssize_t written = send(fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (written < 0 && errno == ENOTSOCK)
		written = write(fd, data, piece_of(fd, length));
	return written;
}

static bool may_try_again(int error)
{
	return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

static size_t write_all(int fd, const char *data, size_t length)
{
	int64_t patience = atomic_load(&lost_lines) > 0 ? 0 : PATIENCE;
	int64_t deadline = clock_monotonic() + patience;
	size_t done = 0;
	while (done < length && wait_writable(fd, deadline)) {
		ssize_t written = write_piece(fd, data + done, length - done);
		if (written > 0)
			done += (size_t)written;
		else if (written == 0 || !may_try_again(errno) || clock_monotonic() > deadline)
			break;
	}
	return done;
}

static bool write_torn(int fd, const char *line, size_t length)
{
	if (atomic_exchange(&torn, false) && write_all(fd, "\n", 1) != 1) {
		atomic_store(&torn, true);
		return false;
	}
	size_t done = write_all(fd, line, length);
	if (done > 0 && done < length)
		atomic_store(&torn, true);
	return done == length;
}

/* Discards the SIGPIPE that our own write has just raised in this thread. */
static void swallow_sigpipe(const sigset_t *set)
{
	const struct timespec now = { 0 };
	int signal;
	do {
		signal = sigtimedwait(set, NULL, &now);
	} while (signal < 0 && errno == EINTR);
}

/* How the process (in the library: its user) handles SIGPIPE must not change. */
static bool write_out(int fd, const char *line, size_t length)
{
	sigset_t pipes;
	sigset_t before;
	(void)sigemptyset(&pipes);
	(void)sigaddset(&pipes, SIGPIPE);
	if (pthread_sigmask(SIG_BLOCK, &pipes, &before) != 0)
		return false;
	errno = 0;
	bool written = write_torn(fd, line, length);
	if (!written && errno == EPIPE)
		swallow_sigpipe(&pipes);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return written;
}

/* The line */

#define LINE_SIZE    16384
#define LINE_RESERVE 256 /* reserved for the end of a line */

struct line {
	struct text text;
	bool json;
	bool cut;
	char memory[LINE_SIZE];
};

enum { STYLE_KNOWN = 1, STYLE_JSON = 2, STYLE_COLOUR = 4 };

static _Atomic int least_level = LOG_INFO;
static _Atomic int output_fd = STDERR_FILENO;
static _Atomic unsigned output_style;
static _Atomic(const char *) role_of_process;

static const struct {
	const char *name, *colour;
} levels[] = {
	[LOG_DEBUG] = { "debug", "\x1b[2m" },
	[LOG_INFO] = { "info", "\x1b[32m" },
	[LOG_WARN] = { "warn", "\x1b[33m" },
	[LOG_ERROR] = { "error", "\x1b[31m" },
};

const char *log_level_name(enum log_level level)
{
	return (size_t)level < sizeof(levels) / sizeof(levels[0]) ? levels[level].name : "unknown";
}

static const char *level_colour(enum log_level level)
{
	return (size_t)level < sizeof(levels) / sizeof(levels[0]) ? levels[level].colour : "";
}

static unsigned find_style(enum log_format format, int fd)
{
	bool terminal = isatty(fd) == 1;
	/* Nothing changes the environment while threads run. */
	/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *plain = getenv("NO_COLOR");
	if (format == LOG_FORMAT_JSON || (format == LOG_AUTO && !terminal))
		return STYLE_KNOWN | STYLE_JSON;
	return STYLE_KNOWN | (terminal && (!plain || plain[0] == '\0') ? STYLE_COLOUR : 0U);
}

void log_configure(const struct log_options *options)
{
	int saved = errno;
	atomic_store(&least_level, (int)options->level);
	atomic_store(&output_fd, options->fd);
	atomic_store(&output_style, find_style(options->format, options->fd));
	errno = saved;
}

static unsigned current_style(int fd)
{
	unsigned style = atomic_load(&output_style);
	if (style != 0)
		return style;
	style = find_style(LOG_AUTO, fd);
	atomic_store(&output_style, style);
	return style;
}

bool log_enabled(enum log_level level)
{
	return (int)level >= atomic_load(&least_level);
}

void log_role(const char *role)
{
	atomic_store(&role_of_process, role);
}

/* A value takes at most half of what is left, so that one long value leaves room for the others. */
static size_t value_room(const struct line *line)
{
	size_t used = line->text.length + LINE_RESERVE;
	return used < LINE_SIZE ? (LINE_SIZE - used) / 2 : 0;
}

/* Text that is the same with and without quotes, and cannot be taken for another field. */
static bool is_plain(const char *value)
{
	size_t i = 0;
	while (value[i] > ' ' && value[i] < '\x7f' && !strchr("\"\\=", value[i]))
		i++;
	return i > 0 && value[i] == '\0';
}

static void add_string(struct line *line, const char *value)
{
	size_t length = strlen(value);
	if (!line->json && length <= value_room(line) && is_plain(value))
		text_append(&line->text, value, length);
	else if (!text_json_part(&line->text, value, length, value_room(line)))
		line->cut = true;
}

static void add_real(struct line *line, double value)
{
	char number[40];
	if (!isfinite(value)) {
		text_add(&line->text, line->json     ? "null"
				      : isnan(value) ? "nan"
				      : value < 0    ? "-inf"
						     : "inf");
		return;
	}
	(void)snprintf(number, sizeof(number), "%.12g", value);
	char *comma = strchr(number, ','); /* a locale's decimal point */
	if (comma)
		*comma = '.';
	text_add(&line->text, number);
}

static void add_key(struct line *line, const char *key)
{
	if (line->text.length > 0 && line->text.data[line->text.length - 1] != '{')
		text_add(&line->text, line->json ? "," : " ");
	add_string(line, key);
	text_add(&line->text, line->json ? ":" : "=");
}

/* Names that a line uses for its own members: a field with one of them gets an underscore. */
static bool is_reserved(const char *key)
{
	static const char *const reserved[] = { "time", "level", "event", "role", "pid", "cut" };
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(key, reserved[i]) == 0)
			return true;
	return false;
}

static void add_field_key(struct line *line, const char *key)
{
	char renamed[16];
	if (line->json && is_reserved(key)) {
		(void)snprintf(renamed, sizeof(renamed), "%s_", key);
		key = renamed;
	}
	add_key(line, key);
}

static void add_field(struct line *line, const struct log_field *field)
{
	if (field->kind == LOG_KIND_TEXT && !field->text)
		return;
	if (value_room(line) < 64) {
		line->cut = true;
		return;
	}
	add_field_key(line, field->key);
	if (field->kind == LOG_KIND_TEXT)
		add_string(line, field->text);
	else if (field->kind == LOG_KIND_INT)
		text_printf(&line->text, "%" PRId64, field->number);
	else
		add_real(line, field->real);
}

static void begin_json(struct line *line, enum log_level level, const char *event)
{
	const char *role = atomic_load(&role_of_process);
	char now[CLOCK_TEXT_SIZE];
	clock_format(clock_wall(), now);
	now[strcspn(now, " ")] = 'T';
	text_printf(&line->text, "{\"time\":\"%sZ\",\"level\":\"%s\"", now, log_level_name(level));
	add_key(line, "event");
	add_string(line, event);
	if (role) {
		add_key(line, "role");
		add_string(line, role);
	}
	text_printf(&line->text, ",\"pid\":%d", (int)getpid());
}

/*
 * Microseconds that local time is ahead of UTC. Determined once a quarter of an hour (no zone
 * changes in between): localtime_r takes a lock, which a forked child should not wait for.
 */
static int64_t zone_offset(int64_t instant)
{
	static _Atomic int64_t cache; /* the quarter, shifted by 32 bits, and seconds + a day */
	const int64_t bias = 86400;
	int64_t quarter = instant / (15 * CLOCK_MINUTE);
	int64_t known = atomic_load(&cache);
	if (known >> 32 != quarter) {
		time_t seconds = (time_t)(instant / CLOCK_SECOND);
		struct tm local;
		int64_t ahead = localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
		known = quarter << 32 | (ahead + bias);
		atomic_store(&cache, known);
	}
	return ((known & 0xffffffff) - bias) * CLOCK_SECOND;
}

static void begin_text(struct line *line, enum log_level level, const char *event, bool colour)
{
	const char *role = atomic_load(&role_of_process);
	int64_t now = clock_wall();
	char local[CLOCK_TEXT_SIZE];
	clock_format(now + zone_offset(now), local);
	/* The time of day, to the millisecond. */
	text_printf(&line->text, "%.12s ", local + strcspn(local, " ") + 1);
	text_printf(&line->text, "%s%s%s ", colour ? level_colour(level) : "",
		    log_level_name(level), colour ? "\x1b[0m" : "");
	add_string(line, role ? role : "dray");
	text_printf(&line->text, "[%d] ", (int)getpid());
	add_string(line, event);
}

static void end_line(struct line *line)
{
	if (line->cut)
		text_add(&line->text, line->json ? ",\"cut\":true" : " cut=true");
	text_add(&line->text, line->json ? "}\n" : "\n");
}

static bool write_line(enum log_level level, const char *event, const struct log_field fields[])
{
	struct line line;
	int fd = atomic_load(&output_fd);
	unsigned style = current_style(fd);
	line.text = (struct text){ .data = line.memory,
				   .capacity = LINE_SIZE,
				   .maximum = LINE_SIZE - 1 };
	line.json = (style & STYLE_JSON) != 0;
	line.cut = false;
	if (line.json)
		begin_json(&line, level, event);
	else
		begin_text(&line, level, event, (style & STYLE_COLOUR) != 0);
	for (; fields->kind != LOG_KIND_END; fields++)
		add_field(&line, fields);
	end_line(&line);
	return write_out(fd, line.memory, line.text.length);
}

struct log_field log_ms(const char *key, int64_t from, int64_t to)
{
	if (from == 0 || to == 0 || from == CLOCK_NEVER || to == CLOCK_NEVER)
		return LOG_TEXT(key, NULL);
	return LOG_INT(key, to > from ? (to - from) / CLOCK_MILLISECOND : 0);
}

void log_write(enum log_level level, const char *event, const struct log_field fields[])
{
	if (!log_enabled(level))
		return;
	int saved = errno;
	if (write_line(level, event, fields)) {
		uint64_t lost = take_lost();
		const struct log_field report[] = { LOG_INT("lines", lost), LOG_END };
		if (lost > 0 && !write_line(LOG_WARN, "log.lost", report))
			add_lost(lost);
	} else {
		add_lost(1);
	}
	errno = saved;
}
