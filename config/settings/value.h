/* The readers of texts and lists, and what they share with the other kinds of settings. */
#ifndef CONFIG_VALUE_H
#define CONFIG_VALUE_H

#include "config/settings/setting.h"

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

/* Read a node into the field; false: reported. */
bool value_read_text(const struct value_context *context, const struct setting *setting,
		     const struct node *node);
bool value_read_zone(const struct value_context *context, const struct setting *setting,
		     const struct node *node);
bool value_read_queues(const struct value_context *context, const struct setting *setting,
		       const struct node *node);
bool value_read_command(const struct value_context *context, const struct setting *setting,
			const struct node *node);
bool value_read_arguments(const struct value_context *context, const struct setting *setting,
			  const struct node *node);
bool value_read_environment(const struct value_context *context, const struct setting *setting,
			    const struct node *node);

bool value_read_patterns(const struct value_context *context, const struct setting *setting,
			 const struct node *node);
bool value_read_share(const struct value_context *context, const struct setting *setting,
		      const struct node *node);
bool value_read_exits(const struct value_context *context, const struct setting *setting,
		      const struct node *node);
bool value_read_wait(const struct value_context *context, const struct setting *setting,
		     const struct node *node);

/* Adds what a plain text of an argument is as a number, date or time; false: it is none. */
bool value_add_number(struct text *json, const char *text);

/* Adds an object as Active Job writes a Symbol, a Date, a Time. */
void value_add_serialized(struct text *json, const char *serializer, const char *value);

/* The field as text. */
const char *value_show_text(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_url(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_queues(struct arena *arena, const struct setting *setting,
			      const char *field);
const char *value_show_command(struct arena *arena, const struct setting *setting,
			       const char *field);
const char *value_show_environment(struct arena *arena, const struct setting *setting,
				   const char *field);
const char *value_show_patterns(struct arena *arena, const struct setting *setting,
				const char *field);
const char *value_show_share(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_exits(struct arena *arena, const struct setting *setting, const char *field);
const char *value_show_wait(struct arena *arena, const struct setting *setting, const char *field);

/* A span exactly, unlike clock_span, so that it can be written into a file: "1m30s". */
const char *value_duration(struct arena *arena, int64_t span);

#endif
