/* Which jobs an action takes, and what is said of others. */
#ifndef ACTION_RULES_H
#define ACTION_RULES_H

#include "queue/manage/action.h"

/* Why nothing was done to a job that is now in this state. */
const char *action_refuses(const struct action *action, const struct job *job);

#endif
