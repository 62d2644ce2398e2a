#include "common/text/words.h"

#include <string.h>

#include "common/text/text.h"

static const char blank[] = " \t\r\n";
static const char special[] = "|&;<>$`*?\\()#~"; /* to a shell, outside of quotes */

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "Some::Thing.do" */
static bool begins_with_constant(const char *word, size_t length)
{
	return is_upper(*word) && (memchr(word, '.', length) || memmem(word, length, "::", 2));
}

/* Statements of Ruby that are not the name of any program. */
static bool is_statement(const char *word, size_t length)
{
	static const char *const statements[] = { "puts",  "p",  "print", "require",
						  "load",  "if", "begin", "unless",
						  "raise", "->", NULL };
	for (const char *const *statement = statements; *statement; statement++)
		if (strlen(*statement) == length && memcmp(*statement, word, length) == 0)
			return true;
	return false;
}

/*
 * By its first word, which in a command line is a program's name or a path, and by blocks and
 * assignments.
 */
bool words_are_ruby(const char *text)
{
	const char *word = text + strspn(text, blank);
	size_t length = strcspn(word, blank);
	const char *rest = word + length + strspn(word + length, blank);

	if (begins_with_constant(word, length) || is_statement(word, length))
		return true;
	if (memchr(word, '/', strcspn(word, "(\"' \t\r\n")))
		return false;
	if (strcspn(word, "()[]{}@:=\"'") < length)
		return true;
	return strncmp(rest, "= ", 2) == 0 || strstr(rest, "do |") || strstr(rest, "{ ") ||
	       strstr(text, ".each");
}

/* Takes one word from *at, without its quotes, and moves *at behind it. NULL: it is not valid. */
static const char *take_word(struct arena *arena, const char **at)
{
	const char *from = *at;
	char *word = arena_alloc(arena, strlen(from) + 1);
	size_t length = 0;
	char quote = '\0';

	for (; *from != '\0' && (quote || !strchr(blank, *from)); from++) {
		bool opens = !quote && (*from == '\'' || *from == '"');
		if (quote != '\'' && strchr(quote ? "$`\\" : special, *from))
			return NULL;
		if (opens)
			quote = *from;
		else if (*from == quote)
			quote = '\0';
		else
			word[length++] = *from;
	}
	*at = from;
	return quote ? NULL : word;
}

bool words_split(struct arena *arena, const char *text, const char ***words, size_t *count)
{
	/* A word has at least one byte, and a blank behind it. */
	const char **list = arena_array(arena, strlen(text) / 2 + 2, sizeof(*list));
	const char *at = text + strspn(text, blank);

	*count = 0;
	while (*at != '\0') {
		const char *word = take_word(arena, &at);
		if (!word)
			return false;
		list[(*count)++] = word;
		at += strspn(at, blank);
	}
	list[*count] = NULL;
	*words = list;
	return true;
}

const char *words_join(struct arena *arena, const char *const words[], size_t count)
{
	struct text line = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		bool plain = *word && !strpbrk(word, blank) && !strpbrk(word, special) &&
			     !strpbrk(word, "'\"");
		const char *quote = plain ? "" : strchr(word, '\'') ? "\"" : "'";
		text_printf(&line, "%s%s%s%s", i > 0 ? " " : "", quote, word, quote);
	}
	return text_take(&line, arena);
}
