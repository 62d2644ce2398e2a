#include <stdio.h>

#include "queue/doctor/doctor.h"

bool doctor_found(const struct doctor *doctor)
{
	for (size_t i = 0; i < AILMENTS; i++)
		if (doctor->found[i].count > 0)
			return true;
	return false;
}

void finding_detail(struct doctor *doctor, enum ailment ailment, int64_t id, const char *detail)
{
	struct finding *finding = &doctor->found[ailment];

	if (finding->count < DOCTOR_EXAMPLES) {
		finding->examples[finding->count] = id;
		if (detail)
			(void)snprintf(finding->details[finding->count], DOCTOR_DETAIL_SIZE, "%s",
				       detail);
	}
	finding->count++;
}

void finding_note(struct doctor *doctor, enum ailment ailment, int64_t id)
{
	finding_detail(doctor, ailment, id, NULL);
}
