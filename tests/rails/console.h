/*
 * The real Solid Queue for the tests: one Ruby process with a Rails application, console.rb, that
 * does what it is told. It lives in a small Debian of its own, below whose root it sees a folder of
 * this run; both are in the environment (tests/support/gates/rails.sh):
 *
 *   DRAY_TEST_RAILS_ROOT    the small Debian
 *   DRAY_TEST_RAILS_PLACE   the folder in it, as we see it
 */
#ifndef RAILS_CONSOLE_H
#define RAILS_CONSOLE_H

#include <sys/types.h>

#include "common/arena.h"

/* Starts it for databases of this backend ("sqlite"...); one at a time. `gem` is Solid Queue's
 * folder. */
void console_start(const char *backend, const char *gem);

/* Ends it and every process that it has started, at once. */
void console_end(void);

/* A database's url or path as Rails understands it, from where Rails is. */
const char *console_url(struct arena *arena, const char *url);

/* The folder of this run as we see it, where Rails writes its files; a file in it. */
const char *console_path(struct arena *arena, const char *name);

/* Evaluates Ruby: the result as text, in the arena. An exception fails the test. */
const char *ruby(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
