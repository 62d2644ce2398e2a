/* Where the configuration is: what names it, and the folders in which it is looked for. */
#ifndef CONFIG_WHERE_H
#define CONFIG_WHERE_H

#include "config/config.h"

/* A value and where it was given; empty environment variables count as not set. */
struct said {
	const char *value;
	const char *by;
	bool optional; /* of a file: it may be missing */
};

/* What the command line requested, else the first of these variables that is set. */
struct said where_say(const char *requested, const char *const variables[]);

/* The same for a file, which is optional if a variable has "-" before its name. */
struct said where_say_file(const char *requested, const char *const variables[]);

/* A path, relative to this folder unless it is absolute. */
const char *where_under(struct arena *arena, const char *root, const char *path);

/* Is the database named outside of the files? */
bool where_url_said(const struct config_request *request);

/* May there be such a file? */
bool where_may_be(const struct config_request *request, const char *file);

/* The folder of the system's files, and the one in which relative paths in them start. */
const char *where_system(const struct config_request *request, struct arena *arena);
const char *where_state(const struct config_request *request, struct arena *arena);

/* The system's folder if its files are taken, because nothing names others; else NULL. */
const char *where_home(const struct config_request *request, struct arena *arena, const char *root);

/* Is the file in this folder, whatever it is called? */
bool where_is_in(struct arena *arena, const char *file, const char *folder);

/* Is the root a Rails application? */
bool where_is_rails(struct arena *arena, const struct config *config);

#endif
