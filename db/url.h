/* Parses database URLs: pure, fuzzed. */
#ifndef URL_H
#define URL_H

#include "common/arena.h"
#include "common/error.h"

/* How a URL goes on after its scheme and colon. */
enum url_form {
	URL_SERVER, /* //user:password@host:port/name?options */
	URL_LIBPQ,  /* the same; libpq interprets it */
	URL_FILE    /* a path, ?options */
};

/* A scheme, whether its driver is built in or not. */
struct url_scheme {
	const char *name;
	const char *driver; /* struct driver's name */
	enum url_form form;
};

struct db_url_option {
	const char *name;
	const char *value;
};

struct db_url {
	const char *text;   /* the URL as given (secret) */
	const char *scheme; /* "sqlite3", "postgres", "mysql", ... lower case */
	const char *user;   /* percent-decoded; NULL = absent */
	const char *password;
	const char *host; /* without brackets for IPv6; NULL = absent */
	int port;         /* 0 = absent */
	const char *path; /* after the authority's slash, decoded; for sqlite3: the file path */
	const struct db_url_option *options; /* query parameters, decoded, in order */
	unsigned option_count;
};

/*
 * sqlite3:PATH and sqlite3://PATH take the rest up to '?' as the path, undecoded except %XX; behind
 * the slashes PATH begins with one or has none, as a host would stand there.
 * postgres:// is only checked for its form: libpq gets the text itself. INVALID names the part that
 * is wrong and never repeats the password.
 */
enum status url_parse(struct arena *arena, const char *text, struct db_url *url,
		      struct error *error) MUST_CHECK;

/* The row of a scheme in lower case, or NULL. */
const struct url_scheme *url_scheme(const char *name);

#define URL_BLANKS " \t\n\v\f\r" /* between the names of a search path */

/* PostgreSQL's schema by `schema_search_path`, an option of Rails', if that names one; or NULL. */
const char *url_schema(struct arena *arena, const struct db_url *url);

/* The option's value or NULL. */
const char *url_option(const struct db_url *url, const char *name);

#endif
