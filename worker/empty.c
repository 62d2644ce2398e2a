/* Replaced by the first source of this folder. */
extern const int dray_worker_empty;
const int dray_worker_empty = 0;
