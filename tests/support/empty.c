/* support */
extern const int dray_support_empty;
const int dray_support_empty = 0;
