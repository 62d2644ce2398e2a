/* Replaced by the first source of this folder. */
extern const int dray_supervisor_empty;
const int dray_supervisor_empty = 0;
