/* Replaced by the first source of this folder. */
extern const int dray_scheduler_empty;
const int dray_scheduler_empty = 0;
