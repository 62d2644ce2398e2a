/* Replaced by the first source of this folder. */
extern const int dray_queue_empty;
const int dray_queue_empty = 0;
