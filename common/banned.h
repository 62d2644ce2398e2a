/*
 * Functions that the build refuses in our own code, included before every source file (see
 * cmake/warnings.cmake). The system's headers must come first: they declare these.
 */
#ifndef BANNED_H
#define BANNED_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * The header of a library whose macros use such functions (the MySQL client's), for the files that
 * need it.
 */
#ifdef DRAY_FOREIGN_HEADER
#include DRAY_FOREIGN_HEADER
#endif

/* Some of them are macros, depending on compiler and fortification. */
#undef alloca
#undef sprintf
#undef vsprintf
#undef stpcpy
#undef strncpy
#undef strncat
#undef strcpy
#undef strcat
#undef strtok

/* Write past the end: use struct text, arena_printf or snprintf. */
#pragma GCC poison strcpy strcat stpcpy sprintf vsprintf gets
/* Do not terminate the string, or fill the rest needlessly. */
#pragma GCC poison strncpy strncat
/* Keep hidden state: use strspn and strcspn, clock_format. */
#pragma GCC poison strtok localtime gmtime asctime ctime
/* Cannot report an error: use parse_int, parse_real. */
#pragma GCC poison atoi atol atoll atof
/* Cannot fail, only crash. */
#pragma GCC poison alloca

#endif
