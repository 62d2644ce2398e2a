/* A shared object, but no module. */
#include <dray.h>

extern DRAY_EXPORT const int something_else;
DRAY_EXPORT const int something_else = 1;
