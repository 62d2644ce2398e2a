/*
 * Variables in configuration files, before YAML is parsed: the ERB that Rails generates and
 * ${NAME}. Each one is replaced by a single private-use character that YAML takes for a letter; its
 * value is put into the scalar after parsing. So a value can never change the structure of a file,
 * quotes inside ERB do not end YAML's, and a variable in a comment needs no value. Everything lives
 * in the arena given.
 */
#ifndef CONFIG_EXPAND_H
#define CONFIG_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"
#include "config/report.h"

#define EXPAND_FIRST         0xF0000 /* substitution n is the character EXPAND_FIRST + n */
#define EXPAND_MAXIMUM       10000   /* variables in one file */
#define VARIABLE_DEPTH       8       /* variables in the default of a variable, and so on */
#define EXPAND_VALUE_MAXIMUM 65536

struct substitution {
	struct place place;
	const char *value; /* NULL: fault says why there is none */
	const char *fault;
	bool refused;   /* not a missing variable but something that dray does not support */
	size_t at;      /* offset of its character in the resulting text */
	bool statement; /* refused, and no value: without it the text is hardly YAML */
};

/* The position after a variable or comment, in the resulting text and in the file; both from 0. */
struct expand_edit {
	unsigned out_line, out_column;
	unsigned in_line, in_column;
};

struct expansion {
	const char *file;
	/*
	 * A file of other software: it has ERB alone, ${ is text, and what dray does not support
	 * is a mistake only where the value is used.
	 */
	bool foreign;
	const char *text;
	size_t length;
	struct expand_edit *edits;
	size_t edit_count;
	struct substitution *substitutions;
	size_t substitution_count;
};

/*
 * Replaces every variable of text (any bytes). Invalid UTF-8, control characters and the like are
 * reported, with INVALID.
 */
enum status expand(struct expansion *expansion, struct arena *arena, struct report *report,
		   const char *text, size_t length) MUST_CHECK;

/* The place in the file of a line and column (from 0) of the resulting text. */
struct place expand_place(const struct expansion *expansion, size_t line, size_t column);

/* A scalar's text with its values. *fault: the first substitution without a value, or NULL. */
const char *expand_values(const struct expansion *expansion, struct arena *arena, const char *text,
			  const struct substitution **fault);

#endif
