/*
 * A command line in one text as the words of a program and its arguments, without a shell: blanks
 * part words, quotes keep blanks. What only a shell could do is refused rather than done otherwise.
 */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"

/*
 * Where jobs of recurring tasks with a command line go whose task and class name no queue: not to
 * Solid Queue's own queue of commands, whose workers would fail them.
 */
#define COMMAND_QUEUE "dray_commands"

/* Is it Ruby source, which Solid Queue has where we have a command line? A good guess. */
bool words_are_ruby(const char *text);

/*
 * The words in the arena, then NULL. False: it asks for more than a list of words says, or a quote
 * is not closed.
 */
bool words_split(struct arena *arena, const char *text, const char ***words, size_t *count);

/* As it could have been written, as long as no word has quotes of both kinds. */
const char *words_join(struct arena *arena, const char *const words[], size_t count);

#endif
