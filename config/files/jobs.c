/*
 * jobs.yml: the classes of jobs, and what each says of how its jobs are run and end.
 *
 * A class is read in layers, each over the one below: `defaults` of the whole file, `defaults` of
 * the environment's section, then the class itself in both. Limits, stop, retry and concurrency are
 * tables, and so instances, of their own. What two layers say together may be wrong where each is
 * right: it is checked when all have been read, and reported at the value that makes it wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/files/reader.h"

/* Retries: a mapping, or less */

static struct node *scalar(struct reader *reader, const struct node *place, const char *text)
{
	struct node *node = arena_alloc(reader->arena, sizeof(*node));

	*node = (struct node){ .kind = NODE_SCALAR, .place = place->place, .text = text };
	return node;
}

/* `retry: 5` is short for `retry: {attempts: 5, wait: polynomially_longer}`. */
static const struct node *as_attempts(struct reader *reader, const struct node *number)
{
	struct node *mapping = arena_alloc(reader->arena, sizeof(*mapping));

	*mapping = (struct node){ .kind = NODE_MAPPING, .place = number->place, .count = 2 };
	mapping->pairs = arena_array(reader->arena, 2, sizeof(*mapping->pairs));
	mapping->pairs[0] =
		(struct node_pair){ scalar(reader, number, "attempts"), (struct node *)number };
	mapping->pairs[1] = (struct node_pair){ scalar(reader, number, "wait"),
						scalar(reader, number, "polynomially_longer") };
	return mapping;
}

void retry_read(struct reader *reader, struct instance *instance, const struct node *node)
{
	struct config_retry *retry = (struct config_retry *)instance->base;
	bool given = true;

	if (node_is_null(node))
		return;
	if (node->kind == NODE_SCALAR &&
	    (node->fault || parse_bool(node->text, &given) != STATUS_OK))
		node = as_attempts(reader, node);
	if (!given)
		instance_reset(reader, instance); /* what is below says nothing to `exit` either */
	retry->given = given;
	if (node->kind != NODE_SCALAR)
		instance_read(reader, instance, node);
}

/* Concurrency limits: one mapping, or a list of them */

static const char *entry_name(struct reader *reader, const char *prefix, size_t entry)
{
	return arena_printf(reader->arena, "%s.concurrency[%zu]", prefix, entry);
}

static void check_key(struct reader *reader, const struct instance *entry, const struct node *node)
{
	const struct config_concurrency *values = (const struct config_concurrency *)entry->base;
	const char *fault = NULL;
	if (values->key && !template_check(values->key, &fault))
		report_error(reader->report, node_get(node, "key")->place, "%s.key is %s: %s",
			     entry->prefix, quoted(reader->arena, values->key), fault);
}

static struct instance *read_entry(struct reader *reader, const char *prefix,
				   struct config_concurrency *values, const struct node *node)
{
	struct instance *entry = instance_new(reader, &concurrency_settings, prefix, values);
	instance_read(reader, entry, node);
	if (node->kind == NODE_MAPPING)
		check_key(reader, entry, node);
	return entry;
}

/* Of two limits with the same key one would never be reached. */
static void check_distinct(struct reader *reader, const char *prefix,
			   const struct config_class *class, const struct node *list)
{
	for (size_t i = 1; i < class->concurrency_count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_same(class->concurrency[i].key, class->concurrency[k].key) &&
			    text_same(class->concurrency[i].group, class->concurrency[k].group))
				report_error(reader->report, list->pairs[i].value->place,
					     "%s.concurrency[%zu] has the same key and group as "
					     "%s.concurrency[%zu]",
					     prefix, i, prefix, k);
}

/*
 * Reads the `concurrency` of node, a class's mapping: entries of the class that `settings` is
 * about. It replaces those of a layer below. The copy is for a class that inherits them.
 */
static void concurrency_read(struct reader *reader, struct instances *entries,
			     const struct instance *settings, const struct node *node)
{
	struct config_class *class = (struct config_class *)settings->base;
	const struct node *list = node_get(node, "concurrency");
	if (!node_has(node, "concurrency"))
		return;
	if (list && list->kind == NODE_SCALAR && !list->fault) {
		report_error(reader->report, list->place,
			     "%s.concurrency is %s, expected a mapping such as {to: 3}",
			     settings->prefix, quoted(reader->arena, list->text));
		return;
	}
	bool many = list && list->kind == NODE_LIST;
	size_t count = many ? list->count : list != NULL;
	*entries = (struct instances){ arena_array(reader->arena, count, sizeof(*entries->list)),
				       count };
	class->concurrency = arena_array(reader->arena, count, sizeof(*class->concurrency));
	class->concurrency_count = count;
	for (size_t i = 0; i < count; i++)
		entries->list[i] =
			*read_entry(reader, entry_name(reader, settings->prefix, i),
				    &class->concurrency[i], many ? list->pairs[i].value : list);
	check_distinct(reader, settings->prefix, class, list);
	if (count > CONCURRENCY_MOST)
		report_error(reader->report, list->place,
			     "%s.concurrency has %zu entries, expected at most %d",
			     settings->prefix, count, CONCURRENCY_MOST);
}

static struct instances concurrency_copy(struct reader *reader, const struct instances *from,
					 const char *prefix, struct config_class *class)
{
	struct instances copy = { arena_array(reader->arena, from->count, sizeof(*copy.list)),
				  from->count };
	const struct config_concurrency *inherited = class->concurrency;
	class->concurrency = arena_array(reader->arena, from->count, sizeof(*class->concurrency));
	for (size_t i = 0; i < from->count; i++) {
		class->concurrency[i] = inherited[i];
		copy.list[i] = *instance_copy(reader, &from->list[i], entry_name(reader, prefix, i),
					      &class->concurrency[i]);
	}
	return copy;
}

/* Classes */

#define CLASS_NAME_MAXIMUM 255 /* solid_queue_jobs.class_name */

struct class_pair {
	const struct node_pair *pair;
	size_t layer; /* later ones override earlier ones */
};

struct class_pairs {
	struct class_pair *list;
	size_t count;
};

/* A class is read as instances: the class, and each of its groups. */
struct class_instances {
	struct instance *settings;
	struct instance *limits;
	struct instance *stop;
	struct instance *retry;
	struct instances concurrency;
	bool runnable; /* some layer says how to run it, rightly or wrongly */
	size_t errors; /* the report's errors before the first layer was read */
};

/* The program is the first word of a command. */
static void place_handler(struct config_class *class, const struct node *node)
{
	const struct node *command = node_get(node, "command");
	const struct node *handler = command ? command : node_get(node, "module");

	if (handler && handler->kind == NODE_LIST && handler->count > 0)
		handler = handler->pairs[0].value;
	class->handler_line = handler ? (int)handler->place.line : 0;
	class->handler_column = handler ? (int)handler->place.column : 0;
}

static bool is_run_by_other(const struct node *node)
{
	const struct node *run_by = node_get(node, "run_by");

	return run_by && run_by->kind == NODE_SCALAR && run_by->text &&
	       strcmp(run_by->text, "other") == 0;
}

/* Drops what the layers below say about how it is run. */
static void forget_handler(const struct instance *settings)
{
	struct config_class *class = (struct config_class *)settings->base;

	class->command = NULL;
	class->command_count = 0;
	class->module = NULL;
	class->run_by = RUN_BY_DRAY;
	*instance_place(settings, "command") = (struct place){ 0 };
	*instance_place(settings, "module") = (struct place){ 0 };
	*instance_place(settings, "run_by") = (struct place){ 0 };
}

/* What the layer says of the ends of runs must fit to how it is run. */
static void check_end(struct reader *reader, const struct class_instances *instances,
		      const struct node *node)
{
	static const char *const keys[] = { "retry", "stop", "exit" };
	const struct config_class *class = (const struct config_class *)instances->settings->base;

	for (size_t i = 0; is_run_by_other(node) && i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct node *said = node_get(node, keys[i]);
		if (said && (i > 0 || class->retry.given)) /* not `retry: false` */
			report_warning(reader->report, said->place,
				       "%s.%s has no effect: what runs the class decides",
				       instances->settings->prefix, keys[i]);
	}
}

/* A module's function in one layer, and exit statuses in the same or in another. */
static bool has_idle_exit(const struct instance *settings)
{
	const struct config_class *class = (const struct config_class *)settings->base;

	return class->module && class->exit_count > 0;
}

static void check_exit(struct reader *reader, const struct instance *settings)
{
	if (has_idle_exit(settings))
		report_error(reader->report, *instance_place(settings, "exit"),
			     "%s.exit is about commands, expected none: a module's function says "
			     "how its job ends by what it calls and returns",
			     settings->prefix);
}

static void read_class(struct reader *reader, struct class_instances *instances,
		       const struct node *node)
{
	struct config_class *class = (struct config_class *)instances->settings->base;
	bool program = node_get(node, "command") || node_get(node, "module");
	/* A way to run a class replaces the other way that a layer below names. */
	if (program || is_run_by_other(node)) {
		instances->runnable = true;
		forget_handler(instances->settings);
		place_handler(class, node);
	} else if (node_get(node, "run_by") && class->run_by == RUN_BY_OTHER) {
		instances->runnable =
			false; /* dray runs it again, and must be given a command or module */
	} else if (!node_is_null(node) && node->kind != NODE_MAPPING)
		instances->runnable = true; /* its way is given, but wrong */
	instance_read(reader, instances->settings, node);
	instance_read(reader, instances->limits, node_get(node, "limits"));
	instance_read(reader, instances->stop, node_get(node, "stop"));
	retry_read(reader, instances->retry, node_get(node, "retry"));
	concurrency_read(reader, &instances->concurrency, instances->settings, node);
	if (node_get(node, "command") && node_get(node, "module"))
		report_error(reader->report, node->place,
			     "%s has both command and module, expected one of them",
			     instances->settings->prefix);
	check_end(reader, instances, node);
	if (program && is_run_by_other(node))
		report_error(reader->report, node->place,
			     "%s is run_by other and has a command or a module, expected one of "
			     "them",
			     instances->settings->prefix);
}

static struct class_instances read_defaults(struct reader *reader, struct config_class *class,
					    const struct layers *layers)
{
	struct class_instances instances = {
		instance_new(reader, &class_settings, "defaults", class),
		instance_new(reader, &limits_settings, "defaults.limits", &class->limits),
		instance_new(reader, &stop_settings, "defaults.stop", &class->stop),
		instance_new(reader, &retry_settings, "defaults.retry", &class->retry),
		{ 0 },
		false,
		report_errors(reader->report),
	};
	read_class(reader, &instances, node_get(layers->base, "defaults"));
	read_class(reader, &instances, node_get(layers->section, "defaults"));
	check_exit(reader, instances.settings);
	class->faulty = report_errors(reader->report) > instances.errors;
	return instances;
}

/* Any printable name without spaces: Ruby's constants and the names of other languages. */
bool class_name_valid(const char *name)
{
	return text_is_name(name, CLASS_NAME_MAXIMUM) && !strchr(name, ' ');
}

static bool check_class_name(struct reader *reader, const struct node *key)
{
	if (key->fault) {
		report_error(reader->report, key->fault->place, "%s", key->fault->fault);
		return false;
	}
	if (class_name_valid(key->text))
		return true;
	report_error(reader->report, key->place,
		     "the class name %s is not valid, expected 1 to 255 characters without spaces",
		     quoted(reader->arena, key->text));
	return false;
}

static void gather_classes(struct reader *reader, struct class_pairs *pairs,
			   const struct node *layer, size_t number)
{
	const struct node *jobs = node_get(layer, "jobs");
	if (!jobs)
		return;
	if (jobs->kind != NODE_MAPPING) {
		report_error(reader->report, jobs->place,
			     "jobs is %s, expected a mapping of class names", node_kind_name(jobs));
		return;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		if (!check_class_name(reader, jobs->pairs[i].key))
			continue;
		pairs->list = arena_extend(reader->arena, pairs->list, pairs->count,
					   sizeof(*pairs->list));
		pairs->list[pairs->count++] = (struct class_pair){ &jobs->pairs[i], number };
	}
}

static int by_name_and_layer(const void *a, const void *b)
{
	const struct class_pair *left = a;
	const struct class_pair *right = b;
	int order = strcmp(left->pair->key->text, right->pair->key->text);
	return order ? order : (left->layer > right->layer) - (left->layer < right->layer);
}

/* Where the class itself says it; the one of `defaults` is for the others. */
static void check_input(struct reader *reader, const struct instance *defaults,
			const struct instance *own)
{
	const struct config_class *class = (const struct config_class *)own->base;
	const struct place *place = instance_place(own, "stdin");

	if (class->module && place->line != instance_place(defaults, "stdin")->line)
		report_error(reader->report, *place,
			     "%s.stdin is about commands, expected none: a module's function is "
			     "given its job",
			     own->prefix);
}

/* `exit` of defaults is for commands: said once, of the first class that is none. */
static void check_exits(struct reader *reader, const struct class_instances *defaults,
			const struct class_instances *own, bool *said)
{
	const struct config_class *below = (const struct config_class *)defaults->settings->base;
	const struct config_class *class = (const struct config_class *)own->settings->base;

	check_input(reader, defaults->settings, own->settings);
	if (class->exit != below->exit) {
		check_exit(reader, own->settings);
	} else if (has_idle_exit(own->settings) && !has_idle_exit(defaults->settings) && !*said) {
		*said = true;
		report_warning(reader->report, *instance_place(own->settings, "exit"),
			       "defaults.exit has no effect on %s: a module's function says how "
			       "its job ends by what it calls and returns; `exit: {}` in the class "
			       "says so",
			       own->settings->prefix);
	}
}

static void finish_class(struct reader *reader, const struct class_instances *instances,
			 const struct node *key)
{
	struct config_class *class = (struct config_class *)instances->settings->base;
	class->name = key->text;
	class->file = key->place.file;
	class->line = (int)key->place.line;
	class->column = (int)key->place.column;
	class->handler = class->module ? HANDLER_MODULE : HANDLER_COMMAND;
	if (class->run_by == RUN_BY_OTHER)
		class->handler = HANDLER_NONE;
	if (!instances->runnable)
		report_error(reader->report, key->place,
			     "jobs.%s has no command and no module, expected one of them, or "
			     "run_by: other for a class that other software runs",
			     class->name);
	class->faulty = class->faulty || report_errors(reader->report) > instances->errors;
}

static void read_classes(struct reader *reader, const struct class_instances *defaults,
			 const struct class_pairs *pairs)
{
	struct config *config = reader->config;
	config->classes = arena_array(reader->arena, pairs->count, sizeof(*config->classes));
	size_t next = 0;
	bool said = false;
	while (next < pairs->count) {
		struct config_class *class = &config->classes[config->class_count++];
		const struct node *key = pairs->list[next].pair->key;
		const char *prefix = arena_printf(reader->arena, "jobs.%s", key->text);
		*class = *(const struct config_class *)defaults->settings->base;
		struct class_instances instances = {
			instance_copy(reader, defaults->settings, prefix, class),
			instance_copy(reader, defaults->limits,
				      arena_printf(reader->arena, "%s.limits", prefix),
				      &class->limits),
			instance_copy(reader, defaults->stop,
				      arena_printf(reader->arena, "%s.stop", prefix), &class->stop),
			instance_copy(reader, defaults->retry,
				      arena_printf(reader->arena, "%s.retry", prefix),
				      &class->retry),
			concurrency_copy(reader, &defaults->concurrency, prefix, class),
			defaults->runnable,
			report_errors(reader->report),
		};
		for (; next < pairs->count &&
		       strcmp(pairs->list[next].pair->key->text, key->text) == 0;
		     next++)
			read_class(reader, &instances, pairs->list[next].pair->value);
		check_exits(reader, defaults, &instances, &said);
		finish_class(reader, &instances, key);
		instance_publish(reader, instances.settings);
		instance_publish(reader, instances.limits);
		instance_publish(reader, instances.stop);
		if (class->retry.given)
			instance_publish(reader, instances.retry);
		for (size_t i = 0; i < instances.concurrency.count; i++)
			instance_publish(reader, &instances.concurrency.list[i]);
	}
}

static int by_class_name(const void *a, const void *b)
{
	const struct config_class *left = a;
	const struct config_class *right = b;
	return strcmp(left->name, right->name);
}

static void publish_group(struct reader *reader, const struct instance *defaults,
			  const struct instance *class, const char *name, void *base)
{
	const char *prefix = arena_printf(reader->arena, "%s.%s", class->prefix, name);
	instance_publish(reader, instance_copy(reader, defaults, prefix, base));
}

static void add_class(struct reader *reader, const struct config_task *task)
{
	const struct config_class *defaults = (const struct config_class *)reader->defaults->base;
	const struct place place = { task->file, (unsigned)task->line, (unsigned)task->column };
	struct config_class *class = arena_alloc(reader->arena, sizeof(*class));
	struct instance *instance =
		instance_copy(reader, reader->defaults,
			      arena_printf(reader->arena, "jobs.%s", task->class), class);
	*class = *defaults;
	forget_handler(instance);
	class->name = task->class;
	class->handler = HANDLER_COMMAND;
	class->command = task->command;
	class->command_count = task->command_count;
	class->concurrency_count = 0;
	class->retry = *task->retry;
	class->exit = task->exit;
	class->exit_count = task->exit_count;
	class->history = task->history;
	class->input = task->input;
	class->file = task->file;
	class->line = task->line;
	class->column = task->column;
	class->handler_line = 0;
	*instance_place(instance, "command") = place;
	if (class->exit != defaults->exit)
		*instance_place(instance, "exit") = place;
	if (class->history != defaults->history)
		*instance_place(instance, "history") = place;
	if (class->input != defaults->input)
		*instance_place(instance, "stdin") = place;
	instance_publish(reader, instance);
	publish_group(reader, reader->default_limits, instance, "limits", &class->limits);
	publish_group(reader, reader->default_stop, instance, "stop", &class->stop);
	reader->config->classes[reader->config->class_count++] = *class;
}

void classes_add(struct reader *reader, const struct config_task tasks[], size_t count)
{
	struct config *config = reader->config;
	struct config_class *list =
		arena_array(reader->arena, config->class_count + count + 1, sizeof(*list));
	if (config->class_count)
		memcpy(list, config->classes, config->class_count * sizeof(*list));
	config->classes = list;
	for (size_t i = 0; i < count; i++)
		if (tasks[i].command)
			add_class(reader, &tasks[i]);
	qsort(list, config->class_count, sizeof(*list), by_class_name);
}

void jobs_read(struct reader *reader, const struct node *root)
{
	struct config_class *class = arena_alloc(reader->arena, sizeof(*class));
	struct class_pairs pairs = { 0 };
	struct layers layers = section_select(reader, &jobs_settings, root);
	struct instance top = { &jobs_settings, "", NULL, NULL };
	instance_read(reader, &top, layers.base);
	instance_read(reader, &top, layers.section);
	struct class_instances defaults = read_defaults(reader, class, &layers);
	reader->defaults = defaults.settings;
	reader->default_retry = defaults.retry;
	reader->default_limits = defaults.limits;
	reader->default_stop = defaults.stop;
	gather_classes(reader, &pairs, layers.base, 0);
	gather_classes(reader, &pairs, layers.section, 1);
	if (pairs.count)
		qsort(pairs.list, pairs.count, sizeof(*pairs.list), by_name_and_layer);
	read_classes(reader, &defaults, &pairs);
}
