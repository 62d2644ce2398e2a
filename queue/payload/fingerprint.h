/*
 * Failures of the same cause have the same fingerprint, their error group: eight hexadecimal digits
 * made of the error's class and of what its message says, without what differs from run to run.
 * It is stored (dray_attempts.error_group), so a change here splits the groups that exist: then
 * FINGERPRINT_VERSION must change, too.
 */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "common/arena.h"

#define FINGERPRINT_VERSION "v3"
#define FINGERPRINT_DIGITS  8
#define FINGERPRINT_MOST    1024 /* bytes of a message that are looked at */

/*
 * The first line of a message that is not empty, in which numbers, ids, addresses and times are
 * "#", quoted texts are one quotation mark (but for one that is the message: msg="..."), paths "/",
 * e-mail addresses "@" and URLs "~"; several that stand side by side are one. White space is a
 * single space. What follows a word such as `status` stays: it tells one cause from another. Never
 * longer than the message; UTF-8 stays valid.
 */
const char *fingerprint_text(struct arena *arena, const char *message);

/* The group of a failure; a class or message of NULL is an empty one. In the arena. */
const char *fingerprint(struct arena *arena, const char *error_class, const char *message);

#endif
