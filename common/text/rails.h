/*
 * What Rails writes into a database.yml or the options of a database URL for itself: its pool, its
 * migrations, how it speaks to the server. None of it says where a database is.
 */
#ifndef COMMON_RAILS_H
#define COMMON_RAILS_H

#include <stdbool.h>

bool rails_option(const char *name);

/* Is the name among those of the list, with a space between them? */
bool rails_listed(const char *list, const char *name);

#endif
