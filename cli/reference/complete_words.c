#include "cli/reference/complete_words.h"

#include <stdlib.h>
#include <string.h>

#include "cli/reference/reference.h"

#define EXPANDED "$`" /* characters that begin a shell expansion */

/* The words as the program would get them; NULL = only the shell can tell. */
struct line {
	struct cli *cli;
	const char **words;
	size_t count;
	size_t next;
};

/* Unquotes a part of a word: a quoted text or a single character. Returns its end, or NULL. */
static const char *unquote_part(const char *from, char **to)
{
	bool quotes = *from == '\'' || *from == '"';
	int quote = quotes ? *from : 0;

	for (from += quotes; *from && *from != quote; from++) {
		bool escaped = *from == '\\' && quote != '\'' && from[1] &&
			       (!quotes || strchr("$`\"\\", from[1]));
		if (quote != '\'' && !escaped && strchr(EXPANDED, *from))
			return NULL;
		from += escaped;
		*(*to)++ = *from;
		if (!quotes)
			return from + 1;
	}
	return *from ? from + 1 : from;
}

static const char *unquote(struct arena *arena, const char *word)
{
	char *text = arena_strdup(arena, word);
	char *end = text;

	while (word && *word)
		word = unquote_part(word, &end);
	*end = '\0';
	return word ? text : NULL;
}

/* A copy without quotes, and with ~ replaced by the home directory. */
static const char *as_given(struct arena *arena, const char *word, bool quoted)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	const char *home = getenv("HOME");
	bool tilde = home && *word == '~' && (word[1] == '/' || !word[1]);
	const char *rest = tilde ? word + 1 : word;
	const char *text = quoted ? unquote(arena, rest) : rest;

	return tilde && text ? arena_printf(arena, "%s%s", home, text) : text;
}

static const struct argp_option *by_letter(char letter)
{
	const struct argp_option *option = option_next(&global_argp, NULL);

	while (option && option_letter(option) != letter)
		option = option_next(&global_argp, option);
	return option;
}

/* An alias is the option above it in the table. */
static const struct argp_option *by_name(const char *name, size_t length)
{
	const struct argp_option *meant = NULL;

	for (const struct argp_option *option = global_argp.options; option->name; option++) {
		if (!(option->flags & OPTION_ALIAS))
			meant = option;
		if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
			return meant;
	}
	return NULL;
}

/* Applies an option; its value is `value`, or the next word if that is NULL. */
static bool take(struct line *line, const struct argp_option *option, const char *value)
{
	struct argp_state state = { .input = line->cli };

	if (option->arg && !value && line->next == line->count)
		return true; /* the value is the word to complete */
	if (option->arg && !value)
		value = line->words[line->next++];
	if (option->arg && !value)
		return false;
	return global_argp.parser(option->key, (char *)value, &state) == 0;
}

/* Applies "-qc PATH", up to a letter of an option of the command: the rest may be its value. */
static bool take_letters(struct line *line, const char *letters)
{
	for (; *letters; letters++) {
		const struct argp_option *option = by_letter(*letters);
		if (!option)
			return true;
		if (option->arg)
			return take(line, option, letters[1] ? letters + 1 : NULL);
		if (!take(line, option, NULL))
			return false;
	}
	return true;
}

static bool take_word(struct line *line, const char *word)
{
	if (word[0] != '-' || word[1] != '-')
		return word[0] != '-' || take_letters(line, word + 1);
	size_t length = strcspn(word + 2, "=");
	const struct argp_option *option = by_name(word + 2, length);
	return !option || take(line, option, word[2 + length] ? word + 3 + length : NULL);
}

bool complete_words_take(struct cli *cli, const struct arguments *words, bool quoted)
{
	struct line line = { .cli = cli, .count = words->count };

	line.words = arena_array(cli->arena, words->count + 1, sizeof(*line.words));
	for (size_t i = 0; i < words->count; i++) {
		bool option = words->list[i][0] == '-';
		line.words[i] = as_given(cli->arena, words->list[i], quoted);
		if (option && !line.words[i])
			return false;
	}
	while (line.next < line.count) {
		const char *word = line.words[line.next++];
		if (word && strcmp(word, "--") == 0)
			return true;
		if (word && !take_word(&line, word))
			return false;
	}
	return true;
}
