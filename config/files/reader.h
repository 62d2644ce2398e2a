/*
 * config/files/: the three files, each from its tree to the configuration.
 *
 * Reads the files: from trees of nodes to struct config, through the tables of settings. An
 * instance is one table laid over one struct (a worker, a class, the log) together with the place
 * that each value comes from. Reading a second node over an instance overrides values that the node
 * has.
 */
#ifndef CONFIG_READER_H
#define CONFIG_READER_H

#include "config/config.h"
#include "config/settings/setting.h"

struct instance {
	const struct settings *settings;
	const char *prefix; /* "workers[0]", "" at the top */
	char *base;
	struct place *places; /* one for each row; file NULL = default */
};

/* Every instance, in the order in which they are shown. */
struct config_origins {
	struct instance *list;
	size_t count;
};

struct reader {
	struct arena *arena;
	struct report *report;
	struct config *config;
	const struct instance *defaults; /* of jobs.yml, for the classes of commands */
	const struct instance *default_retry, *default_limits, *default_stop;
	const struct node *section; /* of queue.yml, for this environment */
	bool only_classes; /* of tasks only the commands are wanted, not when they are due */
	bool foreign;      /* what is read is a file of other software: see struct expansion */
	const struct setting
		*overruled; /* this setting is given where it takes precedence over the file */
};

/* Gives base its defaults. Not shown until instance_publish. */
struct instance *instance_new(struct reader *reader, const struct settings *settings,
			      const char *prefix, void *base);

/* Forgets what was read: its base has the defaults again. */
void instance_reset(struct reader *reader, const struct instance *instance);

/* A new base and places like those of `from`, which has the same table. */
struct instance *instance_copy(struct reader *reader, const struct instance *from,
			       const char *prefix, void *base);

void instance_publish(struct reader *reader, const struct instance *instance);

/* The instances of a list of entries. */
struct instances {
	struct instance *list;
	size_t count;
};

/* Reads the `retry` of a class or task: a mapping, a number of attempts, or false. */
void retry_read(struct reader *reader, struct instance *instance, const struct node *node);

/* Reads node, a mapping or null; mistakes are reported. Groups are left to the caller. */
void instance_read(struct reader *reader, struct instance *instance, const struct node *node);

/* The place that the value of a key comes from. */
struct place *instance_place(const struct instance *instance, const char *key);

/* The part of a file that is for an environment: section's values override base's. */
struct layers {
	const struct node *base; /* NULL: nothing */
	const struct node *section;
};

/*
 * Solid Queue's rule: the key that equals the environment, else the whole file. A file that has
 * sections for other environments only is a mistake. Beside a section, the keys that are not
 * `local` are defaults for every environment.
 */
struct layers section_select(struct reader *reader, const struct settings *settings,
			     const struct node *root);

/*
 * queue.yml, jobs.yml and recurring.yml, in this order; root NULL: an empty file. The last one adds
 * the classes of commands to those of jobs.yml.
 */
void queue_read(struct reader *reader, const struct node *root);
void jobs_read(struct reader *reader, const struct node *root);
void recurring_read(struct reader *reader, const struct node *root);

/* Can it be the name of a class? */
bool class_name_valid(const char *name);

/* Adds the classes that run the commands of tasks, with the defaults of jobs.yml. */
void classes_add(struct reader *reader, const struct config_task tasks[], size_t count);

/* Reports when nothing would be started: after all files. */
void queue_check(struct reader *reader);

/* Takes all roles out but this one, by the key of its section. */
void roles_leave(struct reader *reader, const char *section);

/* A URL as Rails has it, without the options that nobody knows; each is warned of by its name. */
const char *rails_url(struct reader *reader, struct place place, const char *url);

/* Finds the queue's database and sets database.url to it; what is wrong is reported. */
void rails_read(struct reader *reader, const struct node *root);

/* The name of the environment's database that has the queue; NULL, reported: none can be chosen. */
const char *rails_database(struct reader *reader, const struct node *root);

/*
 * Parses a file's text into a tree, in reader's arena; NULL when it is empty or, reported, wrong.
 */
struct node *reader_parse(struct reader *reader, const char *file, const char *text, size_t length);

/* Writes the tables of every setting as Markdown. */
void reference_write(FILE *file);

#endif
