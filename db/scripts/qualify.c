/* Names in SQL: quotes them, and puts the schema in front of our tables. */
#include <ctype.h>
#include <string.h>

#include "common/text/text.h"
#include "db/scripts/dialect.h"

size_t dialect_word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static bool is_our_table(const char *word)
{
	return strncmp(word, "solid_queue_", 12) == 0 || strncmp(word, "dray_", 5) == 0 ||
	       strncmp(word, DIALECT_RAILS_MARKER, sizeof(DIALECT_RAILS_MARKER) - 1) == 0;
}

/* The length of a comment, a literal or a word: these are copied as a whole. */
static size_t piece_length(const char *at)
{
	if (at[0] == '-' && at[1] == '-')
		return strcspn(at, "\n");
	if (at[0] != '\'')
		return dialect_word_length(at);
	size_t length = strcspn(at + 1, "'") + 1;
	return at[length] == '\'' ? length + 1 : length;
}

char *dialect_quote(struct arena *arena, const char *text, char quote)
{
	char *quoted = arena_alloc(arena, 2 * strlen(text) + 3);
	char *to = quoted;

	*to++ = quote;
	for (; *text != '\0'; text++) {
		if (*text == quote)
			*to++ = quote;
		*to++ = *text;
	}
	*to = quote; /* the arena's memory is zero */
	return quoted;
}

char *dialect_qualify(struct arena *arena, const char *sql, const char *schema)
{
	struct text text = { 0 };

	schema = dialect_quote(arena, schema, '"');
	for (const char *at = sql; *at != '\0';) {
		size_t length = piece_length(at);
		if (is_our_table(at) && (at == sql || at[-1] != '.'))
			text_printf(&text, "%s.", schema);
		text_append(&text, at, length > 0 ? length : 1);
		at += length > 0 ? length : 1;
	}
	return text_take(&text, arena);
}
