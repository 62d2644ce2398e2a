/* Replaced by the first source of this folder. */
extern const int dray_dispatcher_empty;
const int dray_dispatcher_empty = 0;
