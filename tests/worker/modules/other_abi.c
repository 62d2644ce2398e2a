/* Built for an interface that does not exist yet. */
#include <dray.h>

static const struct dray_function functions[] = { { NULL, NULL } };

extern DRAY_EXPORT const struct dray_module dray_module;
DRAY_EXPORT const struct dray_module dray_module = {
	.abi = DRAY_ABI + 41,
	.size = sizeof(struct dray_module),
	.name = "other_abi",
	.functions = functions,
};
