/* The words that stand on a command line before the one that is completed. */
#ifndef COMPLETE_WORDS_H
#define COMPLETE_WORDS_H

#include "cli/cli.h"

/*
 * Takes the global options among these words as if they had been given to this program, wherever
 * they stand; all other words mean nothing. Quoted words are as somebody typed them, and the
 * shell's quotes are taken away. False: an option's value depends on what only the shell knows
 * ("$URL"), and nothing may be asked for, since it might be asked of another database.
 */
bool complete_words_take(struct cli *cli, const struct arguments *words, bool quoted) MUST_CHECK;

#endif
