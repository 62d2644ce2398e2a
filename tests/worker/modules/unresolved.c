/* Needs a function that nobody has: refused when it is loaded, not when a job first calls it. */
#include <dray.h>

enum dray_result nobody_has_this(struct dray_job *job);

static const struct dray_function functions[] = { { "UnresolvedJob", nobody_has_this },
						  { NULL, NULL } };

DRAY_MODULE("unresolved", functions);
