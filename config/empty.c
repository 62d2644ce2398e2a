/* Replaced by the first source of this folder. */
extern const int dray_config_empty;
const int dray_config_empty = 0;
