/*
 * What is replaced within a statement: {tokens} and parameters. Of dialect.c, which splits a file
 * into statements and says in its header what tokens there are.
 */
#ifndef TOKEN_H
#define TOKEN_H

#include "common/text/text.h"
#include "db/scripts/dialect.h"

#define MAXIMUM_PLACEHOLDERS 64

/* What a fragment is about; its tokens mean what they mean where it is said. */
struct about {
	const char *text; /* NULL = nothing was said */
	const struct about *outer;
};

/* One rendering under way. */
struct render {
	struct arena *arena;
	const char *name;
	const struct dialect *dialect;
	struct script *script;
	struct text sql; /* the statement being built */
	unsigned char order[MAXIMUM_PLACEHOLDERS];
	unsigned order_count;
	bool guard;
	bool rows;
	unsigned depth; /* of fragments in fragments */
	const struct about *it;
	struct error *error;
};

/* FATAL: the file is not as it should be. */
enum status render_malformed(struct render *render, const char *why) MUST_CHECK;

/* The number of the parameter's placeholder; PostgreSQL uses one for all its uses. */
enum status render_placeholder(struct render *render, const char *name, size_t length,
			       unsigned *number) MUST_CHECK;

/* Adds one line of SQL, replacing what has to be replaced. */
enum status render_line(struct render *render, const char *line, size_t length) MUST_CHECK;

/* "{name}" or "{name:argument}" at *at, which then is behind it. */
enum status token_add(struct render *render, const char **at) MUST_CHECK;

#endif
