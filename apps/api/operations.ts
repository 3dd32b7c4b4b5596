/** What a reader of the document must know before the first call. */
export const INTRODUCTION = `
Organizations ("drives") with contacts, groups, disks and permissions. Every command becomes an event,
and the state of any past moment can be replayed.

**First steps.** \`POST /v1/factory/quickstart\` makes an organization and needs no token. Its answer
holds \`drive_id\` and \`api_key_value\`: press Authorize and paste the key as the bearer token.

**Answers.** Every success is 200 with \`{"ok":{"data": …}}\`. Every error is
\`{"err":{"code", "message", "type", "request_id", "details"}}\`, or RFC 9457 for callers whose Accept
names \`application/problem+json\`; \`type\` is stable, \`details\` names the fields to blame.
\`Drive-Revision\` says which event of the stream an answer reflects.

**Reading what was written.** \`Min-Drive-Revision: n\` on a read: neither records nor permissions behind the
answer are older than n. It waits (5 s unless configured otherwise), then 503 with \`Retry-After\`; n beyond
the end of the stream is 400.

**Repeating.** A command with an \`Idempotency-Key\` is done once: for 24 hours the same key from the same
caller with the same path and body gets the first outcome as it was then, with
\`Idempotent-Replayed: true\` and secrets that are shown once masked. Another path or body under the key is
422. What appended nothing is not remembered. A repeated rebuild answers \`duration_ms\` 0.

**Not overwriting.** Single-record reads and answers to create and update carry \`ETag: "n.h"\`: the revision
at which the record's own fields last changed, and a hash of the body. \`If-None-Match\` on such a read
answers 304 while both are the same. \`If-Match\` (\`"n"\`, \`"n.h"\` or \`*\`) on a command that names a record
answers 412 if the record changed after n, or if there is none.

**Trying out.** With \`Dry-Run: true\` a command is checked and decided on the durable state, and nothing
is stored: no event, no key, no rebuild. Status and body are those of the real call, with
\`"dry_run": {"revision", "events"}\` beside \`data\`: the revision it was decided on and the event records
it would have appended (\`hash\` is null). Generated ids have \`preview-\` behind their prefix, generated keys
and codes begin with it; none of them ever works.

Both are for organizations. Below \`/v1/factory/\` an \`Idempotency-Key\` counts for nothing, since callers
cannot be told apart there, and \`Dry-Run: true\` is 400.

**Bodies** are JSON; unknown fields are ignored, null on create means absent. Times are milliseconds
since epoch, also as digits in a string.
`.trim();

/** What one operation does, for the OpenAPI document. */
export interface OperationText {
  readonly summary: string;
  /** What a caller could not guess from body and answer. */
  readonly description?: string;
}

const CODE = 'The redeem code in the body is the proof.';
const PAGES =
  'Ordered by creation, then id. Cursors name a position, so pages neither repeat nor skip records ' +
  'while others come and go.';

const ADMIN = 'Needs a key that administers the factory.';
const RAW = 'Content never passes through this service: it goes straight to and from the disk.';
const IDENTITY =
  'BIP-39 phrase, Ed25519 at m/44h/223h/0h/0h/0h (SLIP-10) for the user id, m/44h/60h/0h/0/0 for the ' +
  'EVM account. Give secret_entropy or seed_phrase, not both; the same one gives the same identity. ' +
  'No record is touched.';
const CLOSED = 'In closed mode a factory key is needed.';

const ACTIONS_TEXT = `
Always 200; each outcome says by itself whether its action succeeded, in the order asked for. With an
Idempotency-Key all actions go into one append or, beyond its size, none. With \`as_of\` only reads.

| Action | Needs | Result |
|---|---|---|
| GET_FILE, GET_FOLDER | VIEW | \`{file or folder, breadcrumbs}\` |
| CREATE_FILE | UPLOAD on the parent; EDIT on a file that \`id\` names | \`{file, upload, notes}\` |
| CREATE_FOLDER | UPLOAD on the parent | \`{folder, notes}\` |
| UPDATE_FILE, UPDATE_FOLDER | EDIT | \`{file, upload?, notes}\`, \`{folder}\` |
| DELETE_FILE, DELETE_FOLDER | DELETE on the parent or directly on the item | the id, \`path_to_trash\`, ids of the content |
| COPY_FILE, COPY_FOLDER | VIEW on the source, UPLOAD on the destination | the copy |
| MOVE_FILE, MOVE_FOLDER | VIEW and EDIT on the source, UPLOAD on the destination | the moved record |
| RESTORE_TRASH | UPLOAD on the destination, and VIEW and EDIT on the item or having trashed it | \`{restored_files, restored_folders}\` |

Where a name is in use, \`file_conflict_resolution\` decides: KEEP_BOTH takes \`name (2).ext\` or the next free
number; REPLACE stores a new version (create) or puts the existing item into the trash; KEEP_NEWER does so
only if the existing one is older; KEEP_ORIGINAL keeps it (create, restore: 409). Replacing needs EDIT on the
existing item (create) or the right to delete it. An item in the trash keeps its id and content; what is trashed
under another name, because the trash had it already, is restored under its own.
On AWS_BUCKET and STORJ_WEB3 disks \`upload\` is a form for one private object, valid for 24 hours.
Copies share the stored object of their source: the service copies records, not what lies in buckets.
`.trim();
const WEBRTC_TEXT = `
A WebSocket for signalling, with the token in \`auth\`. Messages are JSON text:

| Message | Effect |
|---|---|
| \`{"type":"subscribe","topics":[…]}\` | from now on gets what is published to these topics |
| \`{"type":"unsubscribe","topics":[…]}\` | no longer does |
| \`{"type":"publish","topic":…,…}\` | is relayed as it is to all subscribers of the topic, the sender too if it is one |
| \`{"type":"ping"}\` | is answered \`{"type":"pong"}\` |

Topics (1–256 characters) belong to one file of one organization: what has the same name elsewhere is another
topic. Anything else is answered \`{"type":"error","message":…}\`. Nothing is stored, and peers meet on one
process only.

Needs VIEW on the file, asked when the socket opens and again with every ping of the server (30 s). Since
browsers show pages nothing of a refused upgrade, every refusal is an open socket closed at once, with the slug
of the error as its reason: 1008 for what the caller has to mend, 1013 to try again later. Later closes: 1008
(\`permission.denied\`, \`signalling.too-many-messages\`), 1003 for binary messages, 1009 for messages over 64
KiB, 1000 (\`signalling.idle\`) after 5 minutes without a message, 1001 (\`server.stopping\`). Whoever does not
read or answers no ping is cut off without a word (1006). A file has at most 50 peers; a peer may send 50
messages a second and listen to 100 topics. All of these are settings.

Any origin may connect: no cookie or other credential that a browser adds by itself counts here, so a page
can only use a token it has. A request that is no upgrade is 426.
`.trim();
const ABOUT_ACCESS =
  'Users may ask about themselves, VIEW on a resource may ask about it; everything else needs VIEW on ' +
  'AUDIT. Who may ask is decided now, whatever the point.';
const MANAGE_IS_LITERAL =
  'MANAGE is told literally, though it implies the other directory types when something is done.';

/** By method and path, the path of drive operations counted from behind the organization's id. */
const TEXTS: Readonly<Record<string, OperationText>> = {
  'get /': { summary: 'Says that this is the service' },
  'get /health': { summary: 'The process is alive' },
  'get /ready': {
    summary: 'The process can serve',
    description:
      '503 while an organization in memory is closed; says how far read models are behind.',
  },
  'post /v1/factory/quickstart': {
    summary: 'Make an organization with admin, members, keys and (if wanted) a disk',
    description: `The only time the key values are shown. The same secret_entropy gives the same user. ${CLOSED}`,
  },
  'get /v1/factory/snapshot': {
    summary: 'All that the factory knows, for debugging',
    description: `${ADMIN} 403 in production. Gift cards, and the organizations there are; secrets masked.`,
  },
  'post /v1/factory/helpers/migrate': {
    summary: 'Bring stored data into the form of this release',
    description:
      `${ADMIN} Changes nothing: stored events are read in the form in which they were written, and what ` +
      'is derived from them is made anew when it is needed. The body is not looked at.',
  },
  'post /v1/factory/helpers/generate-crypto-identity': {
    summary: 'Derive an identity from a phrase or from entropy, or make a random one',
    description: `${IDENTITY} ${CLOSED}`,
  },
  'post /v1/factory/giftcards/spawnorg/create': {
    summary: 'Make a gift card that spawns an organization',
    description: `${CLOSED} The credentials of its disk are shown to factory admins only.`,
  },
  'post /v1/factory/giftcards/spawnorg/upsert': { summary: 'The same as create' },
  'post /v1/factory/giftcards/spawnorg/redeem': {
    summary: 'Spawn an organization from a gift card, once',
    description:
      `The id of the card is the proof. ${CLOSED} The answer holds the spawn code, which activates the ` +
      'organization at organization/redeem. Email and external_id become those of the organization. 412 ' +
      'only if the card was changed again and again meanwhile.',
  },
  'get /v1/factory/giftcards/spawnorg/get/{giftcard_id}': {
    summary: 'Read a gift card',
    description: ADMIN,
  },
  'post /v1/factory/giftcards/spawnorg/list': {
    summary: 'List gift cards',
    description: `${ADMIN} \`filters\` looks into notes. ${PAGES}`,
  },
  'post /v1/factory/giftcards/spawnorg/update': {
    summary: 'Change a gift card',
    description: `${ADMIN} A disk given takes the place of the old one as a whole, null removes it.`,
  },
  'post /v1/factory/giftcards/spawnorg/delete': {
    summary: 'Delete a gift card',
    description: `${ADMIN} An organization that it spawned stays.`,
  },
  'post transaction': {
    summary: 'Several commands, all of them or none',
    description:
      'Decided in order on one state and stored in one write. A text like `$0.id` anywhere in a body ' +
      'stands for that field of an earlier result. The first refusal stops it: nothing is stored, and ' +
      'its status and error are answered with `index`. Each command keeps its own rules about callers. ' +
      'Idempotency-Key, Dry-Run and Audit-Reason are for the whole. No reads, and no transaction, ' +
      'organization/reindex, contacts/erase or directory/action.',
  },
  'get organization/about': {
    summary: 'What the organization is',
    description: 'Callers without VIEW on DRIVES get name, owner and email redacted.',
  },
  'get organization/snapshot': {
    summary: 'The whole state by family, for debugging',
    description: 'Owner only; 403 in production. Secrets are masked.',
  },
  'post organization/replay': {
    summary: 'The state at a point of the past, folded from the stream',
    description:
      'A point is a revision, a time or a bookmark; none is now. Owner, or VIEW on AUDIT. Records are shown as ' +
      'get would show them to the owner, secrets masked. The same revision always has the same state_hash.',
  },
  'post organization/history': {
    summary: 'Who did what, when',
    description:
      'All filters that are given must hold. Newest first unless asked otherwise. A resource is followed ' +
      'through superswaps, also by a former id; so is an actor. Whoever may read a record may read its history, ' +
      'redacted as the record is for them; everything else takes the owner or VIEW on AUDIT. Notices to the ' +
      'inbox are found by their type or their InboxNotifID.',
  },
  'post organization/compare': {
    summary: 'What changed between two points of the past',
    description:
      'Owner, or VIEW on AUDIT. A row for every record that differs, with the fields of its own that do: names ' +
      'joined from other records do not count. Secrets are masked, erased persons stay erased. `from` may be ' +
      'the later point: then the rows tell how to get back. A record that came and went in between has no row.',
  },
  'post organization/explain': {
    summary: 'What somebody may do with a resource, and why',
    description: `Answers what \`check\` answers, with the grants that give each type and those that count for nothing. An unknown resource is answered like one without grants; \`denied\` names only grants that the caller may know of. ${ABOUT_ACCESS}`,
  },
  'post organization/who': {
    summary: 'Everybody who holds something on a resource',
    description: `Ordered by id. What PUBLIC holds everybody holds: a user or group that holds nothing else has no row of its own. Ids are those of the point asked about. VIEW on the resource may ask; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL}`,
  },
  'post organization/reach': {
    summary: 'Everything that somebody reaches',
    description: `Ordered by path, as far as its first 140 bytes tell. Collapsed, a row stands for everything below it: what has no row of its own has the \`types_below\` of its nearest row above, nothing below a folder in \`cuts\`; a table stands for its records and a group for its invites. Only what exists is reached. Users may ask about themselves; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL}`,
  },
  'post organization/check_many': {
    summary: 'Up to 1,000 checks on one revision',
    description: `Each answers whether \`check\` would name the type. ${ABOUT_ACCESS} One that may not be asked refuses them all. ${MANAGE_IS_LITERAL}`,
  },
  'post organization/access_timeline': {
    summary: 'When somebody held what on a resource, from the first event until now',
    description: `Windows that opened and closed without an event, memberships and ownership included. The present id stands for the person: before a superswap the former id is looked at, and the same holds of a contact as the resource. ${ABOUT_ACCESS}`,
  },
  'post organization/access_diff': {
    summary: 'Who gained and who lost what between two points',
    description: `With a resource: the difference of two \`who\`. Without: roots of change, where something changed that did not change above; \`gained_below\` and \`lost_below\` tell of everything below that was there at both points, as far down as the next row, the next of \`except\` and the next sovereign folder. Superswaps are no change: rows name people by their id at the later point. \`from\` may be the later point: then the rows tell how to get back. Ordered by grantee and path. ${ABOUT_ACCESS}`,
  },
  'post organization/bookmarks': {
    summary: 'Give a point of the past a name',
    description:
      'Owner only. The bookmark keeps the revision and the time that the point stood for when it was made; ' +
      'without a point that is now, just before its own event. Wherever a point is taken, `at: "@name"` or ' +
      '`as_of=@name` then stands for it.',
  },
  'post organization/bookmarks/list': {
    summary: 'List the bookmarks',
    description: `Owner only. ${PAGES}`,
  },
  'post organization/bookmarks/delete': {
    summary: 'Delete a bookmark',
    description: 'Owner only. The name may then be given again.',
  },
  'get organization/digest': {
    summary: 'What commits to the whole past, signed',
    description:
      'Owner, or VIEW on AUDIT. Keep it elsewhere: whoever has it can tell later whether the past is still ' +
      'the same. checkpoint is the size and root of the log as a signed note that public witnesses can ' +
      'cosign; its key name is the origin, its key public_key.',
  },
  'get organization/proof': {
    summary: 'Prove that an event is in the log',
    description:
      'Owner, or VIEW on AUDIT. The path leads from the event to the root of the tree of the first `size` ' +
      'events, at most 2 log2(size) hashes. Proofs are there as soon as the event was acknowledged.',
  },
  'get organization/consistency': {
    summary: 'Prove that one log extends another',
    description:
      'Owner, or VIEW on AUDIT. From the root of the first `from` events to that of the first `to`: nothing ' +
      'was changed, dropped or inserted between two digests.',
  },
  'post organization/record_proof': {
    summary: 'Prove that a record was there, or was not',
    description:
      'Owner, or VIEW on AUDIT. The paths lead to state_hash, as replay tells it for the same point. Secrets ' +
      'and personal fields stand as the SHA-256 of their sealed boxes.',
  },
  'post organization/verify': {
    summary: 'Read the whole stream again and check everything derived from it',
    description:
      'Owner, or VIEW on AUDIT. Every event is read from the store: the chain of hashes, the sealed fields, ' +
      'the log’s root, the digest if one is given, every snapshot and every document of the read model. ' +
      'Commands and reads go on meanwhile.',
  },
  'post organization/search': {
    summary: 'Search records of several families',
    description:
      'Case-insensitive substrings of any length. Only what the caller may view is found or counted.',
  },
  'post organization/reindex': {
    summary: 'Rebuild the read models from the stream',
    description:
      'Reads and commands go on meanwhile; one switch puts the rebuilt models in place. A call while ' +
      'one runs joins it. With async the job is answered at once.',
  },
  'get organization/reindex/{job_id}': {
    summary: 'How far a rebuild is',
    description:
      'Jobs are remembered until the process ends, at most the last 1,000 finished ones.',
  },
  'post organization/transfer_ownership': {
    summary: 'Hand the organization over, in two steps',
    description:
      'The first call starts a waiting time, the same call after it completes the transfer. A request ' +
      'lapses 7 days after it could have been completed.',
  },
  'post organization/update_allowed_domains': {
    summary: 'Set the allowed domains',
    description: 'Host names, each with an optional leading `*.`. Not rate-limited.',
  },
  'get organization/events': {
    summary: 'Every event as it happens',
    description:
      'Server-sent events: `id` is the revision, `event` the type, `data` the event record. `from` or ' +
      'Last-Event-ID resume after that revision (-1: from the start), else the feed begins now. Needs ' +
      'VIEW on AUDIT, asked before every event and heartbeat; without it the feed ends. A listener that ' +
      'reads too slowly is disconnected and resumes by id.',
  },
  'get organization/webrtc': {
    summary: 'Find those who look at the same file, to connect to them directly',
    description: WEBRTC_TEXT,
  },
  'get organization/whoami': { summary: 'Who the caller is here' },
  'post organization/superswap_user': {
    summary: 'Replace a user id everywhere in the organization',
    description: 'Owner only. One event; keys keep their values and act as the new id.',
  },
  'post organization/superswap': { summary: 'The same as superswap_user' },
  'post organization/redeem': {
    summary: 'Activate a fresh organization with its spawn code',
    description: `${CODE} Works once.`,
  },
  'post organization/external_id': {
    summary: 'Find records by the ids that other systems know them by',
    description:
      'Several records may share one external id. Ids the caller may not VIEW are left out.',
  },
  'post organization/inbox': {
    summary: 'Deliver a notice to the inbox',
    description: 'Owner or CREATE on INBOX. The payload has at most 64 KiB as JSON.',
  },
  'post organization/shortlink': {
    summary: 'Make, follow or remove a short link',
    description:
      'With original_url alone: make one (contacts). With slug alone: follow it (anybody, no token). ' +
      'With both: remove it (its creator, owner, EDIT on DRIVES).',
  },
  'get groups/get/{group_id}': { summary: 'Read a group' },
  'post groups/list': { summary: 'List groups', description: PAGES },
  'post groups/create': {
    summary: 'Make a group',
    description: 'The caller owns it and is its admin.',
  },
  'post groups/update': { summary: 'Change a group' },
  'post groups/delete': {
    summary: 'Delete a group',
    description: 'Its invites and all grants on and to it go too.',
  },
  'post groups/validate': { summary: 'Is this user a member of this group?' },
  'get groups/invites/get/{invite_id}': { summary: 'Read a group invite' },
  'post groups/invites/list': {
    summary: 'List the invites of a group, expired ones included',
    description: PAGES,
  },
  'post groups/invites/create': {
    summary: 'Invite a user, a placeholder or PUBLIC to a group',
    description:
      'A named user is a member at once, within the window. Without invitee a placeholder with a redeem ' +
      'code is made.',
  },
  'post groups/invites/update': { summary: 'Change an invite' },
  'post groups/invites/delete': {
    summary: 'Remove an invite',
    description:
      'For a user: all invites of that user in the group, unless the caller is merely its inviter.',
  },
  'post groups/invites/redeem': {
    summary: 'Join a group with a code',
    description: 'The caller becomes the member. A caller without contact gets one.',
  },
  'get disks/get/{disk_id}': { summary: 'Read a disk' },
  'post disks/list': { summary: 'List disks', description: PAGES },
  'post disks/create': {
    summary: 'Make a disk with its root and trash folder',
    description:
      'Group for All gets VIEW, UPLOAD and EDIT on the root folder unless configured otherwise.',
  },
  'post disks/update': {
    summary: 'Change a disk',
    description: 'The type of a disk cannot change.',
  },
  'post disks/delete': {
    summary: 'Delete a disk with all its folders and grants',
    description: 'What is stored in an external bucket is not touched.',
  },
  'post directory/raw_upload/chunk': { summary: 'Not implemented', description: RAW },
  'post directory/raw_upload/complete': { summary: 'Not implemented', description: RAW },
  'get directory/raw_download/meta': { summary: 'Not implemented', description: RAW },
  'get directory/raw_download/chunk': { summary: 'Not implemented', description: RAW },
  'post directory/list': {
    summary: 'List a folder, or what was shared with the caller on a disk',
    description:
      'By name, folders first, then files, in either direction. Needs VIEW on the folder; children whose ' +
      'own permissions deny VIEW are left out. Pages hold at most page_size folders and files together.',
  },
  'post directory/action': {
    summary: 'Run 1–100 actions on files and folders',
    description: ACTIONS_TEXT,
  },
  'get directory/asset/{file_id_with_extension}': {
    summary: 'Go to the content of a file',
    description:
      'Needs VIEW; files that PUBLIC may view need no token, and a token that does not count is ignored. ' +
      'Files in the trash and expired ones are not found.',
  },
  'get permissions/directory/get/{directory_permission_id}': {
    summary: 'Read a grant on a folder or file',
    description: '404 also for callers who may not read it.',
  },
  'post permissions/directory/list': {
    summary: 'List the grants placed on a folder or file',
    description: PAGES,
  },
  'post permissions/directory/create': {
    summary: 'Grant permissions on a folder or file',
    description:
      'Everybody but the owner can only give what they hold, no longer and no deeper. Without grantee a ' +
      'placeholder with a redeem code is made.',
  },
  'post permissions/directory/update': { summary: 'Change a grant on a folder or file' },
  'post permissions/directory/delete': { summary: 'Revoke a grant on a folder or file' },
  'post permissions/directory/check': {
    summary: 'What a grantee effectively holds on a folder or file',
    description:
      'Inheritance and groups included. An unknown resource answers like one without grants.',
  },
  'post permissions/directory/redeem': {
    summary: 'Claim a grant for a user with its code',
    description: 'The user need not be the caller.',
  },
  'get permissions/system/get/{system_permission_id}': {
    summary: 'Read a grant on a table or record',
    description: '404 also for callers who may not read it.',
  },
  'post permissions/system/list': {
    summary: 'List grants on tables and records that the caller may read',
    description: PAGES,
  },
  'post permissions/system/create': {
    summary: 'Grant permissions on a table or record',
    description: 'Everybody but the owner can only give what they hold, and no longer.',
  },
  'post permissions/system/update': { summary: 'Change a grant on a table or record' },
  'post permissions/system/delete': { summary: 'Revoke a grant on a table or record' },
  'post permissions/system/check': {
    summary: 'What a grantee effectively holds on a table or record',
    description: 'Grants on a table reach all its records.',
  },
  'post permissions/system/redeem': {
    summary: 'Claim a grant for a user with its code',
    description: 'The user need not be the caller.',
  },
  'get contacts/get/{contact_id}': {
    summary: 'Read a contact',
    description: 'Without the right 403, whether or not there is such a contact.',
  },
  'post contacts/list': { summary: 'List contacts', description: PAGES },
  'post contacts/create': {
    summary: 'Make a contact',
    description:
      'Seed phrase and entropy derive id and addresses and are then forgotten. The contact joins Group ' +
      'for All. A redeem code is shown to its creator and the owner.',
  },
  'post contacts/update': {
    summary: 'Change a contact',
    description:
      'People may change their own name, avatar, email, notifications_url, public_note and address.',
  },
  'post contacts/delete': {
    summary: 'Delete a contact',
    description:
      'Its memberships, keys and the grants to it go too; groups it owned pass to the owner.',
  },
  'post contacts/erase': {
    summary: 'Forget a person',
    description:
      'Owner only. The contact is deleted, and the key that its personal data (name, email, avatar, notes, ' +
      'addresses, urls) lies under is destroyed: it reads [erased] ever after, in every past event and ' +
      'state, in names of keys and in the spawn note that the service copied. The id may be one that the ' +
      'person had before, also of a contact deleted earlier; all keys it ever had go. Hashes, digests and ' +
      'proofs stay valid. Not covered: the user id, what others wrote elsewhere, copies made before.',
  },
  'post contacts/redeem': {
    summary: 'Take over a placeholder contact with its code',
    description: `${CODE} The answer holds a key for the new id, shown once.`,
  },
  'post contacts/helpers/generate-auto-login-link': {
    summary: 'A link that signs a contact in',
    description: 'Needs a live key of that contact. The link is neither stored nor logged.',
  },
  'get labels/get/{label_id_or_value}': {
    summary: 'Read a label by its id or its value',
    description: 'Without the right 403, whether or not there is such a label.',
  },
  'post labels/list': {
    summary: 'List labels, or those whose value begins with a text',
    description: PAGES,
  },
  'post labels/create': { summary: 'Make a label' },
  'post labels/update': {
    summary: 'Change a label',
    description: 'A new value shows on all records at once.',
  },
  'post labels/delete': {
    summary: 'Delete a label',
    description: 'It is taken off every record it was pinned on.',
  },
  'post labels/pin': {
    summary: 'Pin a label on a record, or take it away',
    description:
      'Takes EDIT on the label and on the record: a directory permission on files and folders, a system ' +
      'permission on all others. What is so already stays so, without an event.',
  },
  'post contacts/helpers/generate-crypto-identity': {
    summary: 'Derive an identity from a phrase or from entropy, or make a random one',
    description: IDENTITY,
  },
  'get purchases/get/{purchase_id}': {
    summary: 'Read a purchase',
    description: 'For its vendor and holders of VIEW.',
  },
  'post purchases/list': {
    summary: 'List purchases: all with VIEW, else those one is the vendor of',
    description: PAGES,
  },
  'post purchases/create': { summary: 'Make a purchase' },
  'post purchases/update': {
    summary: 'Change a purchase',
    description:
      'Its vendor may change status, URLs, vendor_notes, tracer, external_id and external_payload, and ' +
      'nothing else in the same call; all else takes EDIT.',
  },
  'post purchases/delete': { summary: 'Delete a purchase' },
  'get drives/get/{drive_id}': {
    summary: 'Read an organization of the address book',
    description: 'Without the right 403, whether or not there is such a record.',
  },
  'post drives/list': {
    summary: 'List the organizations known to this one, itself included',
    description: PAGES,
  },
  'post drives/create': {
    summary: 'Put an organization into the address book',
    description:
      'Without id it is DriveID_ and the principal, which may be used anew after a deletion. ' +
      'Without host_url it is https://{icp_principal}.icp0.io.',
  },
  'post drives/update': {
    summary: 'Change an organization of the address book',
    description:
      'Renaming the own record renames the organization; its principal cannot change. host_url null ' +
      'goes back to the default.',
  },
  'post drives/delete': {
    summary: 'Take an organization out of the address book',
    description: 'The own record stays.',
  },
  'get api_keys/get/{api_key_id}': { summary: 'Read an API key, its value masked' },
  'post api_keys/list/{user_id}': {
    summary: 'The API keys of a user, newest first',
    description: 'A plain array.',
  },
  'post api_keys/create': {
    summary: 'Make an API key',
    description: 'The value is shown in this answer only.',
  },
  'post api_keys/update': { summary: 'Change or revoke an API key' },
  'post api_keys/delete': { summary: 'Delete an API key', description: 'A key may delete itself.' },
  'get webhooks/get/{webhook_id}': { summary: 'Read a webhook' },
  'post webhooks/list': { summary: 'List webhooks', description: PAGES },
  'post webhooks/create': {
    summary: 'Have events sent to an address',
    description:
      'Needs the right to see what is watched: VIEW on the item (for sub… events one that reaches into ' +
      'the folder), the group or the label, else VIEW on AUDIT. Deliveries begin with the next event and ' +
      'are signed as in Standard Webhooks under the secret, shown in this answer only. Without `filters` ' +
      'an inbox webhook gets every notice; with them those of their `topic` only. sub… events reach up to 20 ' +
      'folders above an item, but not beyond what is sovereign. Of a folder that is copied, moved or deleted ' +
      'the folder alone is told, not each thing in it. Payloads hold what everybody sees of a record. An organization has at most 1000 webhooks.',
  },
  'post webhooks/update': {
    summary: 'Change a webhook, or rotate its secret',
    description:
      'Another address, on or off also need the right to see what is watched. After a rotation ' +
      'deliveries carry signatures under the new secret and the one before; the next rotation ends that one.',
  },
  'post webhooks/deliveries': {
    summary: 'What became of the deliveries of a webhook',
    description:
      'Every attempt of the last 30 days, oldest first, at most the newest 100,000. A delivery that fails is ' +
      'tried again for 24 h, waiting longer each time, and holds back what comes after it; then it is ' +
      'quarantined and the next one is sent.',
  },
  'post webhooks/replay': {
    summary: 'Send again what a webhook was told, or would have been',
    description:
      'Goes through the events of a range of at most 10,000 revisions, also older ones than the webhook, ' +
      'and queues what it would be told of them as it is set now. Each comes with the same webhook-id as ' +
      'the first time. Looking at items (viewed, shared) is no event and cannot be sent again.',
  },
  'post webhooks/delete': {
    summary: 'Delete a webhook',
    description: 'What waits to be delivered to it is dropped.',
  },
};

/**
 * The text of an operation.
 * @throws Error if there is none: an operation without a text is not finished
 */
export function operationText(path: string, method: string): OperationText {
  const key = `${method} ${path.replace('/v1/drive/{organization_id}/', '')}`;
  const text = TEXTS[key];
  if (!text) throw new Error(`OpenAPI: no text for ${key}`);
  return text;
}
