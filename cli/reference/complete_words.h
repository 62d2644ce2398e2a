/* The words of a command line before the one to complete. */
#ifndef COMPLETE_WORDS_H
#define COMPLETE_WORDS_H

#include "cli/cli.h"

/*
 * Applies the global options among these words, wherever they stand, and ignores all other words.
 * With `quoted`, the words are as typed, and the shell's quotes are removed. Returns false if the
 * value of an option depends on what only the shell knows ("$URL"): then no names must be read,
 * because they might come from another database.
 */
bool complete_words_take(struct cli *cli, const struct arguments *words, bool quoted) MUST_CHECK;

#endif
