/* Replaced by the first source of this folder. */
extern const int dray_db_empty;
const int dray_db_empty = 0;
