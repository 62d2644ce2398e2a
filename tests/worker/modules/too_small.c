/* Says that it knows less of dray_module than the first version had. */
#include <dray.h>

extern DRAY_EXPORT const struct dray_module dray_module;
DRAY_EXPORT const struct dray_module dray_module = {
	.abi = DRAY_ABI,
	.size = 8,
	.name = "too_small",
};
