#include "show/show.h"

static json_t *examples_json(const struct ailment_found *finding)
{
	json_t *list = json_array();

	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++)
		json_array_append_new(list, json_integer(finding->examples[i]));
	return list;
}

static json_t *details_json(const struct ailment_found *finding)
{
	json_t *list = json_array();

	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++)
		if (finding->details[i][0] != '\0')
			json_array_append_new(list, value_text(finding->details[i]));
	return list;
}

static json_t *ailment_json(enum ailment ailment, const struct doctor *before,
			    const struct doctor *after)
{
	const struct ailment_text *text = ailment_text(ailment);
	const struct ailment_found *finding = &before->found[ailment];
	json_t *row = json_object();

	json_object_set_new(row, "kind", json_string(text->name));
	json_object_set_new(row, "count", json_integer(finding->count));
	json_object_set_new(row, "examples", examples_json(finding));
	json_object_set_new(row, "details", details_json(finding));
	json_object_set_new(row, "left", json_integer(after->found[ailment].count));
	json_object_set_new(row, "meaning", json_string(text->meaning));
	json_object_set_new(row, "repair", json_string(text->mend));
	return row;
}

bool doctor_is_healthy(const struct doctor_examination *examination)
{
	return !doctor_found(&examination->after) &&
	       (examination->before.mend || examination->findings.count == 0);
}

json_t *show_examination(const struct doctor_examination *examination)
{
	json_t *tables = json_array();

	for (int i = 0; i < AILMENTS; i++)
		json_array_append_new(tables, ailment_json((enum ailment)i, &examination->before,
							   &examination->after));
	return json_pack("{s:b, s:o, s:o}", "healthy", doctor_is_healthy(examination), "tables",
			 tables, "findings", show_findings(&examination->findings));
}
