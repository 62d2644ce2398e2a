/*
 * common/log/: the log, and what must not appear in it.
 *
 * One line is one event: a dotted name and fields. Text for people on a terminal, JSON otherwise;
 * one write(2) a line to standard error, so that lines of several processes do not mix.
 *
 *     log_event(LOG_INFO, "job.finished", LOG_INT("job", id), LOG_TEXT("class", name));
 *
 * A line is at most 16 KiB: longer values end in "..." and the line has cut=true. In JSON a field
 * called time, level, event, role, pid or cut gets an underscore, because the line has members of
 * these names. When the other end does not read, lines are dropped after 0.1 s and counted in a
 * later "log.lost".
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format { LOG_AUTO, LOG_FORMAT_TEXT, LOG_FORMAT_JSON };
enum log_kind { LOG_KIND_END, LOG_KIND_TEXT, LOG_KIND_INT, LOG_KIND_REAL };

struct log_field {
	const char *key;
	enum log_kind kind;
	const char *text;
	int64_t number;
	double real;
};

#define LOG_TEXT(name, value)                                                                      \
	((struct log_field){ .key = (name), .kind = LOG_KIND_TEXT, .text = (value) })
#define LOG_INT(name, value)                                                                       \
	((struct log_field){ .key = (name), .kind = LOG_KIND_INT, .number = (int64_t)(value) })
#define LOG_REAL(name, value)                                                                      \
	((struct log_field){ .key = (name), .kind = LOG_KIND_REAL, .real = (value) })

/*
 * The milliseconds from one clock_monotonic to a later one. The field is left out when either is 0
 * (it has not happened) or CLOCK_NEVER.
 */
struct log_field log_ms(const char *key, int64_t from, int64_t to);
#define LOG_END ((struct log_field){ .key = NULL, .kind = LOG_KIND_END })

/*
 * Needs at least one field: LOG_END if there is none. NULL texts are left out. A macro used like a
 * function, hence its case.
 */
/* NOLINTNEXTLINE(readability-identifier-naming) */
#define log_event(level, event, ...)                                                               \
	log_write((level), (event), (const struct log_field[]){ __VA_ARGS__, LOG_END })

void log_write(enum log_level level, const char *event, const struct log_field fields[]);

struct log_options {
	enum log_level level;   /* lines below this level are dropped */
	enum log_format format; /* LOG_AUTO: text when standard error is a terminal */
	int fd;                 /* where to write; usually 2 */
};

/* May be called again (reload). Before the first call: info, automatic format, stderr. */
void log_configure(const struct log_options *options);

/* Would a line of this level be written? Lets a caller skip costly fields. */
bool log_enabled(enum log_level level);

/* The role named on every line of this process ("worker", ...). Must outlive logging. */
void log_role(const char *role);

const char *log_level_name(enum log_level level);

#endif
