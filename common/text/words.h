/*
 * Splits a command line in one text into a program and its arguments, without a shell: blanks
 * separate words, quotes keep blanks. Text that only a shell could process is refused.
 */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"

/*
 * The queue of jobs of recurring commands whose task and class name none. It is not Solid Queue's
 * own queue of commands, whose workers would fail these jobs.
 */
#define COMMAND_QUEUE "dray_commands"

/* Is it Ruby source, which Solid Queue has where dray has a command line? A good guess. */
bool words_are_ruby(const char *text);

/* The words in the arena, then NULL. False: it needs a shell, or a quote is not closed. */
bool words_split(struct arena *arena, const char *text, const char ***words, size_t *count);

/* A text that splits into these words, as long as no word has quotes of both kinds. */
const char *words_join(struct arena *arena, const char *const words[], size_t count);

#endif
