import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

const ABOUT_ACCESS =
  'Users may ask about themselves, VIEW on a resource may ask about it; everything else needs VIEW on ' +
  'AUDIT. Who may ask is decided now, whatever the point.';

const UNKNOWN_IDS =
  'For holders of VIEW on AUDIT an id that never existed in the organization is 404 `id.unknown`, naming the ' +
  'field; for an id that was not there at the point, `existed` says when it was. A user is known who ever was ' +
  'a contact, whom a grant, an invite, a group or a key ever named, or who caused an event; tables and PUBLIC ' +
  'always are. Others are answered as for what they may not see.';

const PATHS =
  'Paths are as the caller may see them now: in full with VIEW on the root of the disk or on AUDIT, clipped ' +
  'with VIEW on the item, else empty.';

const MANAGE_IS_LITERAL =
  'MANAGE is told literally, though it implies the other directory types when something is done.';

/** Operations on the past: replay, history, comparison, access, proofs, rebuilding, the feed. */
export const TIME_TRAVEL_TEXTS: OperationTexts = {
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
      'inbox are found by their type or their InboxNotifID. For holders of VIEW on AUDIT an id, a request, or a ' +
      'name of an event or a command that never was is 404 `id.unknown`, naming the field; others get what they ' +
      'get for records that they may not see.',
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
    description: `Answers what \`check\` answers, with the grants that give each type and those that count for nothing. \`denied\` names only grants that the caller may know of. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
  },
  'post organization/who': {
    summary: 'Everybody who holds something on a resource',
    description: `Ordered by id. What PUBLIC holds everybody holds: a user or group that holds nothing else has no row of its own. Ids are those of the point asked about. VIEW on the resource may ask; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
  },
  'post organization/reach': {
    summary: 'Everything that somebody reaches',
    description: `Ordered by path as shown, as far as its first 140 bytes tell, then by a digest of the id. Collapsed, a row stands for everything below it: what has no row of its own has the \`types_below\` of its nearest row above, nothing below a folder in \`cuts\`; a table stands for its records and a group for its invites. Only what exists is reached. Users may ask about themselves; everybody else needs VIEW on AUDIT. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS} ${PATHS}`,
  },
  'post organization/check_many': {
    summary: 'Up to 1,000 checks on one revision',
    description: `Each answers whether \`check\` would name the type. ${ABOUT_ACCESS} One that may not be asked refuses them all. ${MANAGE_IS_LITERAL} ${UNKNOWN_IDS}`,
  },
  'post organization/access_timeline': {
    summary: 'When somebody held what on a resource, from the first event until now',
    description: `Windows that opened and closed without an event, memberships and ownership included. The present id stands for the person: before a superswap the former id is looked at, and the same holds of a contact as the resource. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
  },
  'post organization/access_diff': {
    summary: 'Who gained and who lost what between two points',
    description: `With a resource: the difference of two \`who\`. Without: roots of change, where something changed that did not change above; \`gained_below\` and \`lost_below\` tell of everything below that was there at both points, as far down as the next row, the next of \`except\` and the next sovereign folder. Superswaps are no change: rows name people by their id at the later point. \`from\` may be the later point: then the rows tell how to get back. Ordered by grantee and by path as shown. ${ABOUT_ACCESS} ${UNKNOWN_IDS} ${PATHS}`,
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
    description: `Owner, or VIEW on AUDIT. ${PAGES}`,
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
  'post organization/reindex': {
    summary: 'Rebuild the read models from the stream',
    description:
      'Reads and commands go on meanwhile; one switch puts the rebuilt models in place, and another the ' +
      'index that history asks; it answers once both are done. A call while one runs joins it, also at another process. With async the ' +
      'job is answered at once, and is DONE after both.',
  },
  'get organization/reindex/{job_id}': {
    summary: 'How far a rebuild is',
    description:
      'Answered by any process of the service, up to two seconds late by others than the one that rebuilds. Should ' +
      'that one end on the way, the job is FAILED half a minute later and says so. Jobs are remembered for a week.',
  },
  'get organization/events': {
    summary: 'Every event as it happens',
    description:
      'Server-sent events: `id` is the revision, `event` the type, `data` the event record. `from` or ' +
      'Last-Event-ID resume after that revision (-1: from the start), else the feed begins now. Needs ' +
      'VIEW on AUDIT, asked before every event and heartbeat; without it the feed ends. A listener that ' +
      'reads too slowly is disconnected and resumes by id.',
  },
};
