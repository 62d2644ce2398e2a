/*
 * Reading and showing the value of a setting, by its kind.
 *
 * All kinds that are one number underneath (numbers, durations, sizes, booleans, choices) share one
 * reader and differ in a row of a table; texts and lists have their own. A value that may be a
 * secret (a URL, the environment of a command) is never in a message, and shown only masked. A
 * mistake is reported and leaves the field as it is, so that reading goes on to the next one.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/config.h"
#include "config/settings/setting.h"
#include "schedule/zone/zones.h"

/* One text */

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7F)
			return true;
	return false;
}

static const char *text_fault(const struct setting *setting, const char *text)
{
	int64_t maximum = INT64_MAX;

	if (text[0] == '\0')
		return "is empty";
	if (has_control(text))
		return "has a control character";
	bool known = !setting->maximum ||
		     parse_int(setting->maximum, 1, INT64_MAX, &maximum) == STATUS_OK;
	INVARIANT(known);
	return strlen(text) > (size_t)maximum ? "is too long" : NULL;
}

static void store_text(const struct value_context *context, const struct setting *setting,
		       const char *text)
{
	memcpy(context->base + setting->offset, &text, sizeof(text));
}

static const char *load_text(const char *field)
{
	const char *text = NULL;
	memcpy(&text, field, sizeof(text));
	return text;
}

/* The value itself is never in a message here: it may be a secret. */
static bool read_text(const struct value_context *context, const struct setting *setting,
		      const struct node *node)
{
	if (node->kind != NODE_SCALAR)
		return value_mistake(context, setting, node);
	const char *fault = text_fault(setting, node->text);
	if (fault) {
		report_error(context->report, node->place, "%s %s, expected %s", context->name,
			     fault, setting_expected(setting, context->arena));
		return false;
	}
	store_text(context, setting, arena_strdup(context->arena, node->text));
	return true;
}

/* Parsed here only to check it; the code that computes with it parses it again. */
static bool read_zone(const struct value_context *context, const struct setting *setting,
		      const struct node *node)
{
	const struct zone *zone;
	struct error error;
	if (node->kind != NODE_SCALAR)
		return value_mistake(context, setting, node);
	struct zones *zones = zones_new(context->arena, NULL);
	if (zones_find_setting(zones, node->text, &zone, &error) != STATUS_OK) {
		report_error(context->report, node->place, "%s: %s", context->name, error.text);
		return false;
	}
	return read_text(context, setting, node);
}

/* The field as text. */
static const char *show_text(struct arena *arena, const struct setting *setting, const char *field)
{
	(void)arena;
	(void)setting;
	const char *text = load_text(field);
	return text ? text : "none";
}

static const char *show_url(struct arena *arena, const struct setting *setting, const char *field)
{
	const char *text = load_text(field);
	if (!text)
		return show_text(arena, setting, field);
	/* Masking lengthens a text by at most its "***" for every parameter. */
	size_t size = 4 * strlen(text) + 16;
	char *masked = arena_alloc(arena, size);
	url_mask(text, masked, size);
	return masked;
}

/* Lists of texts: queues, the words of a command, its environment, patterns, hosts */

/* The same names as the worker's, which fills them in. */
static bool is_name(const char *start, size_t length)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	return length > 0 && strspn(start, allowed) >= length;
}

bool template_check(const char *template, const char **fault)
{
	const char *at = template;
	while ((at = strpbrk(at, "{}"))) {
		if (at[0] == at[1]) {
			at += 2;
			continue;
		}
		*fault = *at == '}' ? "this } has no {" : "this { has no }";
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (!end)
			return false;
		*fault = "this is no name or number";
		if (!is_name(at + 1, (size_t)(end - at - 1)))
			return false;
		at = end + 1;
	}
	return true;
}

#define QUEUE_NAME_MAXIMUM 255

struct list {
	const char **items; /* count entries, then NULL */
	size_t count;
};

static void store_list(const struct value_context *context, const struct setting *setting,
		       const struct list *list)
{
	memcpy(context->base + setting->offset, &list->items, sizeof(list->items));
	if (setting->count_offset)
		memcpy(context->base + setting->count_offset, &list->count, sizeof(list->count));
}

static const char *const *load_list(const char *field)
{
	const char *const *items = NULL;
	memcpy(&items, field, sizeof(items));
	return items;
}

/* Checks one entry and returns the text to keep; false: reported. */
typedef bool entry_reader(const struct value_context *context, const struct node *node,
			  const char **item);

static bool read_entry(const struct value_context *context, const struct node *node,
		       entry_reader *read, const char **item)
{
	if (!value_has_text(context, node))
		return false;
	if (node->kind == NODE_SCALAR && !node_is_null(node))
		return read(context, node, item);
	report_error(context->report, node->place, "%s is %s, expected text%s", context->name,
		     node_kind_name(node),
		     node->kind == NODE_MAPPING ? " (in quotes when it has braces)" : "");
	return false;
}

static bool read_list(const struct value_context *context, const struct node *node,
		      entry_reader *read, struct list *list)
{
	list->items = arena_array(context->arena, node->count + 1, sizeof(*list->items));
	list->count = node->count;
	bool valid = true;
	struct value_context entry = *context;
	for (size_t i = 0; i < node->count; i++) {
		entry.name = arena_printf(context->arena, "%s[%zu]", context->name, i);
		valid &= read_entry(&entry, node->pairs[i].value, read, &list->items[i]);
	}
	return valid;
}

static bool refuse_entry(const struct value_context *context, const struct node *node,
			 const char *expected)
{
	report_error(context->report, node->place, "%s is %s, expected %s", context->name,
		     node_describe(node, context->arena), expected);
	return false;
}

static size_t characters(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += (*text & 0xC0) != 0x80;
	return count;
}

static bool read_queue(const struct value_context *context, const struct node *node,
		       const char **item)
{
	static const char space[] = " \t\r\n";
	const char *start = node->text + strspn(node->text, space);
	size_t length = strlen(start);
	while (length && strchr(space, start[length - 1]))
		length--;
	char *name = arena_strndup(context->arena, start, length);
	const char *star = strchr(name, '*');
	if (length == 0)
		return refuse_entry(context, node, "a queue name");
	if (star && star[1])
		return refuse_entry(context, node, "* only at the end");
	if (characters(name) > QUEUE_NAME_MAXIMUM)
		return refuse_entry(context, node, "at most 255 characters");
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			return refuse_entry(context, node, "no control characters");
	if (strchr(name, ','))
		report_warning(context->report, node->place,
			       "%s is one queue whose name has a comma; for several write a list: "
			       "[a, b]",
			       context->name);
	*item = name;
	return true;
}

/* As in Solid Queue: a worker that takes all queues takes them by priority alone. */
static void warn_of_star(const struct value_context *context, const struct node *node,
			 const struct list *list)
{
	for (size_t i = 0; list->count > 1 && i < list->count; i++)
		if (strcmp(list->items[i], "*") == 0)
			report_warning(context->report, node->place,
				       "%s has \"*\", which takes all queues by priority: the "
				       "other entries have no effect",
				       context->name);
}

static bool read_queues(const struct value_context *context, const struct setting *setting,
			const struct node *node)
{
	struct list list = { 0 };
	if (node->kind == NODE_MAPPING)
		return value_mistake(context, setting, node);
	if (node->kind == NODE_LIST && node->count > 0) {
		if (!read_list(context, node, read_queue, &list))
			return false;
		warn_of_star(context, node, &list);
	} else {
		list.items = arena_array(context->arena, 2, sizeof(*list.items));
		list.items[0] = "*";
		if (node->kind == NODE_SCALAR && !read_queue(context, node, &list.items[0]))
			return false;
		list.count = 1;
	}
	store_list(context, setting, &list);
	return true;
}

/*
 * $${NAME} in a file has become ${NAME}, which is for a shell: its braces are doubled, so that it
 * is no placeholder.
 */
static const char *keep_shell(struct arena *arena, const char *argument)
{
	struct text text = { 0 };
	const char *at;
	while ((at = strstr(argument, "${"))) {
		size_t length = strcspn(at + 2, "{}");
		bool whole = length > 0 && at[2 + length] == '}';
		text_append(&text, argument, (size_t)(at - argument) + 2);
		if (whole)
			text_printf(&text, "{%.*s}}", (int)length, at + 2);
		argument = at + 2 + (whole ? length + 1 : 0);
	}
	text_add(&text, argument);
	return text_take(&text, arena);
}

/* What a text that has a brace too many may have; {*} is the one that stands alone. */
static const char *expected_braces(struct arena *arena, const char *item, const char *fault)
{
	if (strstr(item, "{*}"))
		return "\"{*}\" as an element of its own; a shell has its arguments in \"$@\": "
		       "[sh, -c, 'program \"$@\"', sh, \"{*}\"]";
	return arena_printf(arena, "{0} or {name}, and {{ or }} for a brace (%s)", fault);
}

static bool read_argument(const struct value_context *context, const struct node *node,
			  const char **item)
{
	const char *fault = NULL;
	*item = keep_shell(context->arena, node->text);
	if (strcmp(*item, "{*}") == 0 || template_check(*item, &fault))
		return true;
	return refuse_entry(context, node, expected_braces(context->arena, *item, fault));
}

/* As it is: braces mean nothing where there is no job. */
static bool read_word(const struct value_context *context, const struct node *node,
		      const char **item)
{
	(void)context;
	*item = node->text;
	return true;
}

static bool read_command(const struct value_context *context, const struct setting *setting,
			 const struct node *node)
{
	struct list list = { 0 };
	if (node->kind != NODE_LIST || node->count == 0) {
		report_error(context->report, node->place,
			     "%s is %s, expected a list: [program, argument, ...] (no shell)",
			     context->name,
			     node->kind == NODE_LIST ? "an empty list"
						     : node_describe(node, context->arena));
		return false;
	}
	if (!read_list(context, node, setting->type == SETTING_PROGRAM ? read_word : read_argument,
		       &list))
		return false;
	if (list.items[0][0] == '\0' || strpbrk(list.items[0], "{}")) {
		report_error(context->report, node->pairs[0].value->place,
			     "%s[0] is %s, expected a program without placeholders", context->name,
			     quoted(context->arena, list.items[0]));
		return false;
	}
	store_list(context, setting, &list);
	return true;
}

static bool read_variable(const struct value_context *context, const struct node *node,
			  const char **item)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";
	size_t length = strspn(node->text, letters);
	char end = node->text[length];
	bool number = node->text[0] >= '0' && node->text[0] <= '9';
	*item = node->text;
	if (length > 0 && !number && (end == '\0' || end == '='))
		return true;
	/* The rest may be a secret: only the start is shown. */
	report_error(context->report, node->place, "%s begins with %s, expected NAME or NAME=value",
		     context->name,
		     quoted(context->arena,
			    arena_strndup(context->arena, node->text, length + (end != '\0'))));
	return false;
}

static bool read_environment(const struct value_context *context, const struct setting *setting,
			     const struct node *node)
{
	struct list list = { 0 };
	if (node->kind != NODE_LIST) {
		report_error(context->report, node->place, "%s is %s, expected %s", context->name,
			     node_kind_name(node), setting_expected(setting, context->arena));
		return false;
	}
	if (!read_list(context, node, read_variable, &list))
		return false;
	store_list(context, setting, &list);
	return true;
}

static bool read_pattern(const struct value_context *context, const struct node *node,
			 const char **item)
{
	struct config_pattern pattern;
	*item = node->text;
	if (config_pattern_parse(node->text, &pattern))
		return true;
	return refuse_entry(
		context, node,
		arena_printf(context->arena,
			     "an error class (a * at its end stands for any ending), an exit "
			     "status from 0 to 255 or a range of them (64-78), signal, lost or "
			     "timeout%s",
			     value_zero_hint(node)));
}

/* One, or a list of them. */
static bool read_patterns(const struct value_context *context, const struct setting *setting,
			  const struct node *node)
{
	struct list list = { 0 };
	if (node->kind == NODE_MAPPING || (node->kind == NODE_LIST && node->count == 0))
		return value_mistake(context, setting, node);
	if (node->kind == NODE_LIST) {
		if (!read_list(context, node, read_pattern, &list))
			return false;
	} else {
		list.items = arena_array(context->arena, 2, sizeof(*list.items));
		if (!read_pattern(context, node, &list.items[0]))
			return false;
	}
	store_list(context, setting, &list);
	return true;
}

static const char *show_queues(struct arena *arena, const struct setting *setting,
			       const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load_list(field); item && *item; item++)
		text_printf(&text, "%s%s", text.length ? ", " : "", *item);
	return text_take(&text, arena);
}

static const char *show_command(struct arena *arena, const struct setting *setting,
				const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load_list(field); item && *item; item++) {
		text_add(&text, text.length ? ", " : "[");
		text_json(&text, *item);
	}
	text_add(&text, text.length ? "]" : "none");
	return text_take(&text, arena);
}

static const char *show_environment(struct arena *arena, const struct setting *setting,
				    const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load_list(field); item && *item; item++) {
		size_t name = strcspn(*item, "=");
		text_printf(&text, "%s%.*s%s", text.length ? ", " : "", (int)name, *item,
			    (*item)[name] ? "=***" : "");
	}
	if (text.length == 0)
		text_add(&text, "none");
	return text_take(&text, arena);
}

static bool read_host(const struct value_context *context, const struct node *node,
		      const char **item)
{
	*item = node->text;
	if (text_is_name(node->text, HOSTNAME_SIZE - 1))
		return true;
	return refuse_entry(context, node, "the name of a host, as `dray processes` shows it");
}

/* An empty list is not the same as none. */
static bool read_hosts(const struct value_context *context, const struct setting *setting,
		       const struct node *node)
{
	struct list list = { 0 };
	if (node->kind != NODE_LIST || node->count > CONFIG_HOSTS_MOST)
		return value_mistake(context, setting, node);
	if (!read_list(context, node, read_host, &list))
		return false;
	store_list(context, setting, &list);
	return true;
}

static const char *show_hosts(struct arena *arena, const struct setting *setting, const char *field)
{
	(void)setting;
	struct text text = { 0 };
	const char *const *hosts = load_list(field);
	for (const char *const *item = hosts; item && *item; item++)
		text_printf(&text, "%s%s", text.length ? ", " : "", *item);
	return hosts ? arena_printf(arena, "[%s]", text_take(&text, arena))
		     : "those that were there";
}

static const char *show_patterns(struct arena *arena, const struct setting *setting,
				 const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load_list(field); item && *item; item++)
		text_printf(&text, "%s%s", text.length ? ", " : "[", *item);
	text_add(&text, text.length ? "]" : "none");
	return text_take(&text, arena);
}

/* Kinds */

static enum status to_bool(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	bool value = false;
	enum status status = parse_bool(text, &value);
	*number = value;
	return status;
}

static enum status to_number(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_int(text, INT64_MIN, INT64_MAX, number);
}

static enum status to_duration(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_duration(text, number);
}

static enum status to_seconds(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	int64_t span = 0;
	if (parse_duration(text, &span) != STATUS_OK || span % CLOCK_SECOND)
		return STATUS_INVALID;
	*number = span / CLOCK_SECOND;
	return STATUS_OK;
}

static enum status to_size(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_size(text, number);
}

static enum status to_choice(const struct setting *setting, const char *text, int64_t *number)
{
	for (int64_t i = 0; setting->choices[i]; i++) {
		if (strcmp(setting->choices[i], text) != 0)
			continue;
		*number = i;
		return STATUS_OK;
	}
	return STATUS_INVALID;
}

/* No request to end: KILL and STOP, and those that the kernel sends to a program with a fault. */
static bool is_request(int number)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGFPE,
				      SIGILL,  SIGTRAP, SIGSYS,  SIGXCPU, SIGXFSZ };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (number == others[i])
			return false;
	return true;
}

/* With or without SIG, as `kill -l` has it. */
static enum status to_signal(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
	for (int i = 1; i < NSIG; i++) {
		const char *known = sigabbrev_np(i);
		if (!known || strcmp(known, name) != 0 || !is_request(i))
			continue;
		*number = i;
		return STATUS_OK;
	}
	return STATUS_INVALID;
}

static const char *from_bool(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	(void)setting;
	return number ? "true" : "false";
}

static const char *from_number(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)setting;
	return arena_printf(arena, "%lld", (long long)number);
}

static const char *from_duration(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)setting;
	return value_duration(arena, number);
}

static const char *from_seconds(struct arena *arena, const struct setting *setting, int64_t number)
{
	return from_duration(arena, setting, number * CLOCK_SECOND);
}

static const char *from_size(struct arena *arena, const struct setting *setting, int64_t number)
{
	static const char letters[] = "\0KMGT";
	size_t power = 0;
	while (number && number % 1024 == 0 && power + 2 < sizeof(letters)) {
		number /= 1024;
		power++;
	}
	return arena_printf(arena, "%s%.1s", from_number(arena, setting, number), letters + power);
}

static const char *from_signal(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	(void)setting;
	return sigabbrev_np((int)number);
}

static const char *from_choice(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	return setting->choices[number];
}

enum width { WIDTH_BOOL, WIDTH_INT, WIDTH_LONG };

struct kind {
	enum status (*to)(const struct setting *, const char *, int64_t *);
	const char *(*from)(struct arena *, const struct setting *, int64_t);
	enum width width;
	bool (*read)(const struct value_context *, const struct setting *, const struct node *);
	const char *(*show)(struct arena *, const struct setting *, const char *field);
};

static bool read_scalar(const struct value_context *, const struct setting *, const struct node *);
static const char *show_scalar(struct arena *, const struct setting *, const char *field);

/* Groups and what is not read have no row. */
static const struct kind kinds[SETTING_REFUSED + 1] = {
	[SETTING_BOOL] = { to_bool, from_bool, WIDTH_BOOL, read_scalar, show_scalar },
	[SETTING_NUMBER] = { to_number, from_number, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_COUNT] = { to_number, from_number, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_DURATION] = { to_duration, from_duration, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SECONDS] = { to_seconds, from_seconds, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SIZE] = { to_size, from_size, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SIGNAL] = { to_signal, from_signal, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_CHOICE] = { to_choice, from_choice, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_TEXT] = { .read = read_text, .show = show_text },
	[SETTING_URL] = { .read = read_text, .show = show_url },
	[SETTING_ZONE] = { .read = read_zone, .show = show_text },
	[SETTING_QUEUES] = { .read = read_queues, .show = show_queues },
	[SETTING_COMMAND] = { .read = read_command, .show = show_command },
	[SETTING_PROGRAM] = { .read = read_command, .show = show_command },
	[SETTING_ARGUMENTS] = { .read = value_read_arguments, .show = show_text },
	[SETTING_ENVIRONMENT] = { .read = read_environment, .show = show_environment },
	[SETTING_PATTERNS] = { .read = read_patterns, .show = show_patterns },
	[SETTING_HOSTS] = { .read = read_hosts, .show = show_hosts },
	[SETTING_SHARE] = { .read = value_read_share, .show = value_show_share },
	[SETTING_EXITS] = { .read = value_read_exits, .show = value_show_exits },
	[SETTING_WAIT] = { .read = value_read_wait, .show = value_show_wait },
};

static void store_number(const struct kind *kind, char *field, int64_t number)
{
	int narrow = (int)number;
	bool truth = number != 0;
	if (kind->width == WIDTH_BOOL)
		memcpy(field, &truth, sizeof(truth));
	else if (kind->width == WIDTH_INT)
		memcpy(field, &narrow, sizeof(narrow));
	else
		memcpy(field, &number, sizeof(number));
}

static int64_t load_number(const struct kind *kind, const char *field)
{
	int64_t number = 0;
	int narrow = 0;
	bool truth = false;
	if (kind->width == WIDTH_LONG) {
		memcpy(&number, field, sizeof(number));
		return number;
	}
	if (kind->width == WIDTH_BOOL) {
		memcpy(&truth, field, sizeof(truth));
		return truth;
	}
	memcpy(&narrow, field, sizeof(narrow));
	return narrow;
}

static const char *show_scalar(struct arena *arena, const struct setting *setting,
			       const char *field)
{
	const struct kind *kind = &kinds[setting->type];
	int64_t number = load_number(kind, field);
	/* If there is no default, -1 stands for it. */
	if (number == -1 && !setting->initial)
		return "inherited";
	return kind->from(arena, setting, number);
}

static bool in_range(const struct setting *setting, int64_t number)
{
	const struct kind *kind = &kinds[setting->type];
	int64_t minimum = INT64_MIN;
	int64_t maximum = INT64_MAX;
	bool known =
		!setting->minimum || kind->to(setting, setting->minimum, &minimum) == STATUS_OK;
	known &= !setting->maximum || kind->to(setting, setting->maximum, &maximum) == STATUS_OK;
	INVARIANT(known);
	return number >= minimum && number <= maximum;
}

static bool read_scalar(const struct value_context *context, const struct setting *setting,
			const struct node *node)
{
	int64_t number = 0;
	const struct kind *kind = &kinds[setting->type];
	if (node->kind != NODE_SCALAR || value_leads_with_zero(node) ||
	    kind->to(setting, node->text, &number) != STATUS_OK || !in_range(setting, number))
		return value_mistake(context, setting, node);
	store_number(kind, context->base + setting->offset, number);
	return true;
}

bool setting_read(const struct value_context *context, const struct setting *setting,
		  const struct node *node)
{
	return value_has_text(context, node) && kinds[setting->type].read(context, setting, node);
}

void setting_default(struct arena *arena, const struct setting *setting, char *base)
{
	const struct kind *kind = &kinds[setting->type];
	if (!setting->initial) {
		if (kind->to)
			store_number(kind, base + setting->offset, -1);
		return;
	}
	struct node node = { .kind = NODE_SCALAR, .text = setting->initial };
	struct value_context context = { arena, report_new(arena), setting->key, base };
	bool valid = kind->read(&context, setting, &node);
	INVARIANT(valid);
}

const char *setting_show(struct arena *arena, const struct setting *setting, const char *base)
{
	const struct kind *kind = &kinds[setting->type];
	return kind->show ? kind->show(arena, setting, base + setting->offset) : NULL;
}
