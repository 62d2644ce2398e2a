/* Replaced by the first source of this folder. */
extern const int dray_common_empty;
const int dray_common_empty = 0;
