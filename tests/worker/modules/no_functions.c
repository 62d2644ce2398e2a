#include <dray.h>

DRAY_MODULE("no_functions", NULL);
