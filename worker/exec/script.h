/* Scripts: what the kernel makes of a program file's first line, and what is wrong with that. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "common/arena.h"

/*
 * Why this file, which exists and may be executed, would not start: its interpreter is missing, its
 * lines end in CR LF, it has no #! line. NULL: nothing is known to be wrong. A relative file
 * starts in `directory` (NULL = here); env looks in `search` (a PATH).
 */
const char *script_fault(struct arena *arena, const char *file, const char *directory,
			 const char *search);

#endif
