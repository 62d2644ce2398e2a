/*
 * config/settings/: every setting, and how its value is read and shown.
 *
 * What can be set, as tables with one row for each key. Parsing, validation, defaults, the list of
 * `dray check` and the reference in docs/configuration.md all come from these rows; to add a
 * setting, add a field to config.h and a row to tables.c.
 */
#ifndef CONFIG_SETTING_H
#define CONFIG_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/text/text.h"
#include "config/yaml/node.h"

enum setting_type {
	SETTING_BOOL,        /* bool */
	SETTING_NUMBER,      /* int */
	SETTING_COUNT,       /* int64_t, -1 = inherited */
	SETTING_DURATION,    /* int64_t microseconds */
	SETTING_SECONDS,     /* int64_t whole seconds, -1 = inherited */
	SETTING_SIZE,        /* int64_t bytes, -1 = inherited */
	SETTING_TEXT,        /* const char *, NULL = none */
	SETTING_URL,         /* the same, secret */
	SETTING_ZONE,        /* the same, an IANA time zone */
	SETTING_SIGNAL,      /* int, a signal's number */
	SETTING_CHOICE,      /* an enum whose values are the indexes of `choices` */
	SETTING_QUEUES,      /* const char ** and its size_t count */
	SETTING_COMMAND,     /* const char **, NULL-terminated, and its size_t count */
	SETTING_PROGRAM,     /* the same, as it is: there is no job, so it has no placeholders */
	SETTING_ARGUMENTS,   /* const char *, a JSON array; NULL = none */
	SETTING_ENVIRONMENT, /* const char **, NULL-terminated */
	SETTING_PATTERNS,    /* the same; NULL = none */
	SETTING_HOSTS,       /* const char ** and its size_t count; NULL = nothing is said */
	SETTING_SHARE,       /* double */
	SETTING_WAIT,        /* the three fields of struct config_retry about waits */
	SETTING_EXITS,       /* const struct config_exit * and its size_t count */
	SETTING_GROUP,       /* a mapping that its owner reads with `group` */
	SETTING_ENTRIES,     /* a list of mappings that its owner reads with `group` */
	SETTING_NAMES,       /* a mapping of names to mappings that its owner reads with `group` */
	SETTING_IGNORED, /* one of Solid Queue's, without a meaning in dray: description says why */
	SETTING_REFUSED, /* cannot work in dray: description says what to do */
};

struct settings;

#define SETTINGS_MAXIMUM 64 /* rows of one table */

struct setting {
	const char *key;
	size_t offset;       /* of the field in its struct */
	const char *initial; /* the default as it is written in a file; NULL = none */
	const char *description;
	const char *minimum;        /* of numbers, durations and sizes */
	const char *maximum;        /* also of texts, in bytes */
	const char *const *choices; /* NULL-terminated */
	const struct settings *group;
	size_t count_offset;
	enum setting_type type;
	bool primary; /* at its top, a file needs no section for the environment */
	/*
	 * The section of a role: a list of entries, or a mapping of which there is one at most. Has
	 * no effect at the top level beside a section for the environment.
	 */
	bool role;
	bool fallback; /* of a role: one entry with the defaults, if no role has a section */
};

struct settings {
	const struct setting *rows;
	size_t count;
	size_t size; /* of the struct that its fields are in */
};

extern const struct settings queue_settings; /* fields of struct config */
extern const struct settings database_settings, log_settings;
extern const struct settings scheduler_settings; /* other roles: by their row in queue_settings */
extern const struct settings promise_settings;   /* each of `queues` */
extern const struct settings well_settings;
extern const struct settings jobs_settings; /* jobs.yml: no fields */
extern const struct settings class_settings, limits_settings, stop_settings;
extern const struct settings concurrency_settings;
extern const struct settings retry_settings;
extern const struct settings task_settings, dst_settings; /* recurring.yml */

/* The row of a key, or NULL. */
const struct setting *setting_find(const struct settings *settings, const char *key);

/* The section of the next role in queue.yml; of NULL: of the first one; NULL after the last. */
const struct setting *setting_next_role(const struct setting *row);

/* What a key of other software leads to in this table; NULL: it is not known. */
const char *setting_habit(const struct settings *settings, const char *tried);

/* Reports an unknown key with the nearest known one; where: "" or the path that it is in. */
void setting_unknown(struct report *report, struct arena *arena, const struct settings *settings,
		     const struct node *key, const char *where);

/*
 * The values that a setting takes, for messages and the reference: "a whole number from 1 to 1024".
 */
const char *setting_expected(const struct setting *setting, struct arena *arena);

/*
 * Reads a node into the setting's field of base. `name` is its name in messages. Mistakes are
 * reported and leave the field unchanged.
 */
struct value_context {
	struct arena *arena;
	struct report *report;
	const char *name;
	char *base;
};
bool setting_read(const struct value_context *context, const struct setting *setting,
		  const struct node *node);

/* Sets the default. Only our own tables can be wrong here, so it asserts that they are not. */
void setting_default(struct arena *arena, const struct setting *setting, char *base);

/* The field's value as it can be written in a file, secrets masked; NULL when it has none. */
const char *setting_show(struct arena *arena, const struct setting *setting, const char *base);

/* For the files of this room. */

/* Reports that node is not a value of the setting. Always false. */
bool value_mistake(const struct value_context *context, const struct setting *setting,
		   const struct node *node);

/*
 * 010 is ten here and eight in Rails: numbers with a leading zero are mistakes. The hint is for the
 * end of their message, empty for any other node.
 */
bool value_leads_with_zero(const struct node *node);
const char *value_zero_hint(const struct node *node);

/* Reports the variable that the scalar lacks. */
bool value_has_text(const struct value_context *context, const struct node *node);

/* Read a node into the field; false: reported. The field as text. */
bool value_read_arguments(const struct value_context *context, const struct setting *setting,
			  const struct node *node);
bool value_read_share(const struct value_context *context, const struct setting *setting,
		      const struct node *node);
bool value_read_wait(const struct value_context *context, const struct setting *setting,
		     const struct node *node);
bool value_read_exits(const struct value_context *context, const struct setting *setting,
		      const struct node *node);
const char *value_show_share(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_wait(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_exits(struct arena *arena, const struct setting *setting, const char *field);

/* A span exactly, unlike clock_span, so that it can be written into a file: "1m30s". */
const char *value_duration(struct arena *arena, int64_t span);

/* Does command[i] have balanced {placeholders}? *fault says what is wrong. */
bool template_check(const char *template, const char **fault);

#endif
