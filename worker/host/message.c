#include "worker/host/message.h"

#include <string.h>

#include "queue/claim/claim.h"

/* The part of a job of fixed size; four texts follow. */
struct facts {
	int64_t id;
	int64_t claim;
	int64_t claimed_at;
	int64_t process;
	int64_t cpu;
	int64_t losses;
	int64_t runs_before;
	int32_t priority;
	int32_t signal;
	uint64_t log;
};

static size_t begin(struct text *out, enum host_kind kind)
{
	const struct host_frame frame = { .kind = kind };

	text_append(out, (const char *)&frame, sizeof(frame));
	return out->length;
}

static void put_text(struct text *out, const char *text, size_t length)
{
	text_append(out, text, length);
	text_append(out, "", 1);
}

/* The body that began at `start` is complete: sets the length in its frame. */
static void end(struct text *out, size_t start)
{
	uint32_t length = (uint32_t)(out->length - start);
	size_t place = start - sizeof(struct host_frame) + offsetof(struct host_frame, length);

	memcpy(out->data + place, &length, sizeof(length));
}

void host_put_reply(struct text *out, enum host_kind kind, const char *const texts[], size_t count)
{
	size_t start = begin(out, kind);

	for (size_t i = 0; i < count; i++)
		put_text(out, texts[i], strnlen(texts[i], HOST_TEXT_MAXIMUM));
	end(out, start);
}

void host_put_job(struct text *out, const struct claim *claim, const struct host_terms *terms)
{
	const struct job *job = &claim->job;
	const struct facts facts = {
		.id = job->id,
		.claim = claim->id,
		.claimed_at = claim->claimed_at,
		.process = job->process_id,
		.cpu = terms->cpu,
		.losses = job->losses,
		.runs_before = job->runs_before,
		.priority = job->priority,
		.signal = terms->signal,
		.log = terms->log,
	};
	const char *id = job->active_job_id ? job->active_job_id : "";
	size_t start = begin(out, HOST_JOB);

	text_append(out, (const char *)&facts, sizeof(facts));
	put_text(out, job->class_name, strlen(job->class_name));
	put_text(out, job->queue, strlen(job->queue));
	put_text(out, id, strlen(id));
	put_text(out, job->payload, strlen(job->payload));
	end(out, start);
}

bool host_get_job(const char *body, size_t length, struct claim *claim, struct host_terms *terms)
{
	struct facts facts;
	const char *texts[4];

	if (length < sizeof(facts) ||
	    !host_get_texts(body + sizeof(facts), length - sizeof(facts), texts, 4))
		return false;
	memcpy(&facts, body, sizeof(facts));
	*claim = (struct claim){
		.id = facts.claim,
		.claimed_at = facts.claimed_at,
		.job = {
			.id = facts.id,
			.process_id = facts.process,
			.priority = facts.priority,
			.losses = facts.losses,
			.runs_before = facts.runs_before,
			.class_name = texts[0],
			.queue = texts[1],
			.active_job_id = texts[2],
			.payload = texts[3],
		},
	};
	*terms = (struct host_terms){ .cpu = facts.cpu,
				      .signal = facts.signal,
				      .log = facts.log != 0 };
	return true;
}

bool host_get_texts(const char *body, size_t length, const char *texts[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *stop = length == 0 ? NULL : memchr(body, '\0', length);

		if (!stop)
			return false;
		texts[i] = body;
		length -= (size_t)(stop + 1 - body);
		body = stop + 1;
	}
	return length == 0;
}

enum status host_next_reply(const struct text *in, size_t *offset, struct host_frame *frame,
			    const char **body)
{
	size_t left = in->length - *offset;

	if (left < sizeof(*frame))
		return STATUS_NONE;
	memcpy(frame, in->data + *offset, sizeof(*frame));
	if (frame->kind <= HOST_JOB || frame->kind > HOST_GIVEN_BACK ||
	    frame->length > HOST_REPLY_MAXIMUM)
		return STATUS_INVALID;
	if (left - sizeof(*frame) < frame->length)
		return STATUS_NONE;
	*body = in->data + *offset + sizeof(*frame);
	*offset += sizeof(*frame) + frame->length;
	return STATUS_OK;
}
