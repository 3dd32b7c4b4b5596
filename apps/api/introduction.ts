/** What a reader of the document must know before the first call. */
export const INTRODUCTION = `
Organizations ("drives") with contacts, groups, disks and permissions. Every command becomes an event,
and the state of any past moment can be replayed.

**First steps.** \`POST /v1/factory/quickstart\` makes an organization and needs no token. Its answer
holds \`drive_id\` and \`api_key_value\`: press Authorize and paste the key as the bearer token.

**Answers.** Every success is 200 with \`{"ok":{"data": …}}\`. Every error is
\`{"err":{"code", "message", "type", "request_id", "details"}}\`, or RFC 9457 for callers whose Accept
names \`application/problem+json\`; \`type\` is stable, \`details\` names the fields to blame. Of a 403 they name
the rights of which one would have sufficed, as far as you may know what they are rights on.
\`Drive-Revision\` says which event of the stream an answer reflects.

**Reading what was written.** \`Min-Drive-Revision: n\` on a read: neither records nor permissions behind the
answer are older than n. It waits (5 s unless configured otherwise), then 503 with \`Retry-After\`; n beyond
the end of the stream is 400, which takes up to 2 s to make sure of where several servers store events.
Without it an answer shows at least what its process has acknowledged. Where lists and searches are kept up by workers
that lag, they wait for that, then 503 \`read-model.behind\` with \`Retry-After\`; so do commands of an organization
whose lists lag too far, before anything of them is stored.

**Repeating.** A command with an \`Idempotency-Key\` is done once: for 24 hours the same key from the same
caller with the same path and body gets the first outcome as it was then, with
\`Idempotent-Replayed: true\` and secrets that are shown once masked. Another path or body under the key is
422. What appended nothing is not remembered. A caller that has lost since what the outcome rests on (its key,
its contact, its id, the right, the sight of the record) gets what it would get without the key. A repeated rebuild answers \`duration_ms\` 0.

**Not overwriting.** Single-record reads and answers to create and update carry \`ETag: "n.h"\`: the revision
at which the record's own fields last changed, and a hash of the body. \`If-None-Match\` on such a read
answers 304 while both are the same. \`If-Match\` (\`"n"\`, \`"n.h"\` or \`*\`) on a command that names a record
answers 412 if the record changed after n, or if there is none.

**Trying out.** With \`Dry-Run: true\` a command is checked and decided on the durable state, and nothing
is stored: no event, no key, no rebuild. Status and body are those of the real call, with
\`"dry_run": {"revision", "events"}\` beside \`data\`: the revision it was decided on and the event records
it would have appended (\`hash\` is null). \`directory/action\` shows it with \`?envelope=ok\`, since a bare list has
no place for it. Generated ids have \`preview-\` behind their prefix, generated keys
and codes begin with it; none of them ever works.

Both are for organizations. Below \`/v1/factory/\` an \`Idempotency-Key\` counts for nothing, since callers
cannot be told apart there, and \`Dry-Run: true\` is 400.

**Bodies** are JSON; unknown fields are ignored, null on create means absent. With \`Prefer: handling=strict\`
(RFC 7240) unknown fields are 400, at any depth and in the commands of a transaction and the payloads of actions too:
\`details\` names each with the nearest known one. The answer then carries
\`Preference-Applied: handling=strict\`. An update may leave out what it does not change; strict handling
demands \`name\` of a disk and \`permission_types\` of a directory permission. Times are milliseconds
since epoch, also as digits in a string.
`.trim();
