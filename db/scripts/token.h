/*
 * Renders a line of SQL: replaces its {tokens} and parameters. Called by dialect.c, which splits a
 * file into statements; its header lists the tokens.
 */
#ifndef TOKEN_H
#define TOKEN_H

#include "common/text/text.h"
#include "db/scripts/dialect.h"

#define MAXIMUM_PLACEHOLDERS 64

/* What a fragment is about; tokens in it are those of the place that includes the fragment. */
struct about {
	const char *text; /* NULL = nothing */
	const struct about *outer;
};

/* One rendering in progress. */
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

/* FATAL: the file is malformed. */
enum status render_malformed(struct render *render, const char *why) MUST_CHECK;

/* Adds one line of SQL, with tokens and parameters replaced. */
enum status render_line(struct render *render, const char *line, size_t length) MUST_CHECK;

#endif
