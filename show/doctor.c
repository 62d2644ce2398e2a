#include "show/show.h"

static json_t *examples_json(const struct finding *finding)
{
	json_t *list = json_array();

	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++)
		json_array_append_new(list, json_integer(finding->examples[i]));
	return list;
}

static json_t *details_json(const struct finding *finding)
{
	json_t *list = json_array();

	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++)
		if (finding->details[i][0] != '\0')
			json_array_append_new(list, value_text(finding->details[i]));
	return list;
}

static json_t *finding_json(enum ailment ailment, const struct doctor *before,
			    const struct doctor *after)
{
	const struct ailment_text *text = ailment_text(ailment);
	const struct finding *finding = &before->found[ailment];
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

static json_t *absents_json(const struct absents *absents)
{
	json_t *list = json_array();

	for (size_t i = 0; i < absents->count; i++) {
		const struct absent *absent = &absents->list[i];
		json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "kind", absent->kind,
						      "queue", value_text(absent->queue), "text",
						      value_text(absent->text)));
	}
	return list;
}

static json_t *takers_json(const struct takers *takers)
{
	json_t *list = json_array();

	for (size_t i = 0; i < takers->count; i++) {
		const struct taker *taker = &takers->list[i];
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:I, s:o}", "queue", value_text(taker->queue),
					"worker", value_text(taker->name), "workers",
					(json_int_t)taker->count, "text", value_text(taker->text)));
	}
	return list;
}

bool doctor_is_healthy(const struct doctor_examination *examination)
{
	bool around = examination->absents.count > 0 || examination->absents.unserved.count > 0 ||
		      examination->takers.count > 0;

	return !doctor_found(&examination->after) && (examination->before.mend || !around);
}

json_t *show_examination(const struct config *config, const struct doctor_examination *examination)
{
	json_t *findings = json_array();

	for (int i = 0; i < AILMENTS; i++)
		json_array_append_new(findings, finding_json((enum ailment)i, &examination->before,
							     &examination->after));
	return json_pack("{s:b, s:o, s:o, s:o, s:o}", "healthy", doctor_is_healthy(examination),
			 "findings", findings, "absent", absents_json(&examination->absents),
			 "unserved", show_unserved(config, &examination->absents.unserved), "taken",
			 takers_json(&examination->takers));
}
