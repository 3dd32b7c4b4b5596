export const INTRODUCTION = `
The service manages organizations ("drives") with contacts, groups, disks and permissions. Every command
is stored as events, and the state at any earlier time can be replayed.

**First steps.** \`POST /v1/factory/quickstart\` creates an organization and needs no token. The response
contains \`drive_id\` and \`api_key_value\`. Press Authorize and paste the key as the bearer token.

**Responses.** A successful response has status 200 and the body \`{"ok":{"data": …}}\`. An error has the body
\`{"err":{"code", "message", "type", "request_id", "details"}}\`, or the RFC 9457 form if the request's Accept
header lists \`application/problem+json\`. \`type\` is a stable slug. \`details\` lists the invalid fields; in a 403
it lists permissions any one of which would suffice, if you may see the resource they are on.

**Headers.** Every response has \`X-Request-Id\`: the one sent by the client (1–128 visible ASCII characters), or a
generated one. Responses of an organization to a caller whose token was accepted have
\`Drive-Revision\`: the revision of the event stream up to which they reflect it at least; for a command, that of its
last event. Responses of operations
with rate limits have \`RateLimit\` (remaining requests per window: \`"client";r=599;t=60\`) and \`RateLimit-Policy\` (limits
per window: \`"client";q=600;w=60\`).

**Error types.** \`x-error-types\` of an operation lists its own slugs. That of a shared error response lists slugs that any
operation may return with this status; the response \`default\` has those of the statuses that an operation does not list.
\`ErrorType\` explains all.

**Pages** of long items have fewer than \`page_size\`: they end at 4 MiB of JSON, and their cursors lead on.

**Read your writes.** With \`Min-Drive-Revision: n\`, a response reflects all records and permissions at least up to
revision n. The request waits for n (5 s by default), then fails with 503 and \`Retry-After\`. If n is
beyond the end of the stream, the response is 400; with several servers this check takes up to 2 s. Without the header, a
response reflects at least all commands that the same process has acknowledged. If workers maintain lists and
searches and lag behind, a list or search waits for them, then fails with 503 \`read-model.behind\` and
\`Retry-After\`. If an organization's lists lag too far, its commands fail the same way before anything is stored.

**Idempotency.** A command with an \`Idempotency-Key\` runs once. For 24 hours, a request with the same key, caller,
path and body gets the first outcome, with \`Idempotent-Replayed: true\`; secrets that are shown only once are masked.
The same key with another path or body is 422. Requests that appended no event are not stored under the key. If the
caller has since lost the API key, contact, id or permission that the outcome required, the request is treated as if it
had no \`Idempotency-Key\`. A repeated rebuild returns \`duration_ms\` 0.

**Conditional requests.** Reads of a single record and responses to create and update have \`ETag: "n.h"\`: n is the
revision at which the record's own fields last changed, h a hash of the body. With \`If-None-Match\`, such a
read returns 304 if both are unchanged. With \`If-Match\` (\`"n"\`, \`"n.h"\` or \`*\`), a command on a record returns
412 if the record changed after n or does not exist.

**Dry run.** With \`Dry-Run: true\`, a command is validated and decided against the durable state, but nothing is
stored. Status and body are those of a real call, with \`"dry_run": {"revision", "events"}\` beside \`data\`: the
revision it was decided on, and the events it would append (\`hash\` is null). \`directory/action\` returns it
only with \`?envelope=ok\`. In generated ids \`preview-\` follows the prefix; generated keys and codes begin with
\`preview-\`, and so do the signatures of upload forms. None of them is ever valid.

\`Idempotency-Key\` and \`Dry-Run\` apply to organizations only. Below \`/v1/factory/\`, \`Idempotency-Key\` is ignored,
because callers are not identified there, and \`Dry-Run: true\` is 400.

**Bodies** are JSON. Unknown fields are ignored; null on create means absent. With \`Prefer: handling=strict\`
(RFC 7240), unknown fields are 400 at any depth, also in commands of a transaction and payloads of actions;
\`details\` lists each field with the nearest known one, and the response has \`Preference-Applied: handling=strict\`.
An update may omit fields that it does not change, but strict handling requires \`name\` of a disk and
\`permission_types\` of a directory permission. Times are milliseconds since the Unix epoch, as numbers or strings of
digits.
`.trim();
