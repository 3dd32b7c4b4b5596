import { durationText, LOCALE, numberText, totalText } from './text-forms.js';

/** Texts of the pages that answer questions: comparisons, access, evidence and operations. */
export const page_texts = {
  compare: {
    from: 'Compare with',
    from_first: 'The first event',
    to: 'and',
    now: 'now',
    backwards:
      'The first point is the later one. Changes are shown backwards: what was created between the points is “Deleted” here.',
    swap: 'Put the earlier point first',
    same: 'Both points are the same. Choose another one to compare with.',
    nothing: 'Nothing differs between the two points.',
    all: (count: number) => `All (${count.toLocaleString(LOCALE)})`,
    family: (name: string, count: number) => `${name} (${count.toLocaleString(LOCALE)})`,
    kinds: { CREATED: 'Created', UPDATED: 'Changed', DELETED: 'Deleted' },
    events: (count: number) =>
      count === 1 ? 'by 1 event' : `by ${count.toLocaleString(LOCALE)} events`,
    fields: (name: string) => `Fields of ${name}`,
    records: 'Records',
    access: 'Access gained and lost',
    access_none: 'Nobody gained or lost access.',
    who: 'Who',
    what: 'What',
    gained: 'Gained',
    lost: 'Lost',
    below: (types: string) => `${types} on everything below`,
    files: 'Files',
  },

  access: {
    intro:
      'Choose a person to see everything that they could reach, a record to see who could reach it, or both to see why.',
    person: 'Person',
    resource: 'File, folder or other record',
    resource_placeholder: 'Name or ID',
    nothing_found: 'Nothing found',
    may: 'May',
    no_record: 'The record did not exist at this point.',
    no_person: 'The person did not exist at this point.',
    history: 'Show the history',
    replaced: 'This ID was replaced at',
    replaced_by: 'by',
    may_nothing: 'Had no permission at this point.',
    why: 'Why',
    denied: 'Grants that had no effect',
    when: 'Since when',
    never_held: 'Never had a permission.',
    interval: (type: string, from: string, to: string) => `${type} from ${from} to ${to}`,
    still: 'now',
    holders: 'Who could reach it',
    nobody: 'Nobody but the owner of the organization.',
    reached: 'What the person could reach',
    nothing_reached: 'Nothing at this point.',
    column_who: 'Who',
    column_what: 'What',
    column_may: 'May',
    column_why: 'Reason',
    ask_why: 'Why',
    below: (types: string) => `and ${types} below`,
    owner: 'Owns the organization',
    everyone: 'As everyone',
    directly: 'Directly',
    as_member: 'As a member of',
    granted_by: 'granted by',
    inherited: 'inherited from',
    further: (count: number) => `and ${count.toLocaleString(LOCALE)} more`,
    chain: (types: string) => `Chain that gives ${types}`,
    member_of: 'is a member of',
    by_invite: 'invite',
    holds: 'is granted',
    on: 'on',
    which_contains: 'which contains',
    reasons: {
      NOT_BEGUN: 'It had not begun.',
      EXPIRED: 'It had expired.',
      NOT_INHERITABLE: 'It applies to the folder itself only.',
      SOVEREIGN_FOLDER: 'A folder in between takes no permissions from above.',
      NOT_REDEEMED: 'Its link had not been redeemed.',
      NOT_A_MEMBER: 'The person was not a member of the group.',
    },
  },

  verifying: {
    progress: 'Progress of the verification',
    waiting: 'The verification begins.',
    checked: (percent: number, checked: number, total: number) =>
      `${percent} %: ${numberText(checked)} of ${numberText(total)} events checked`,
  },

  evidence: {
    of_now:
      'The verification and the digest are of the whole history until now; the bundle is about the chosen point in time.',
    verify: 'Verification',
    verify_hint:
      'Reads every event from the store again, checks each hash, and compares snapshots and documents with what the events say.',
    verify_now: 'Verify the whole history',
    check_digest: 'Check an older digest or bundle',
    choose_digest: 'File of a digest or a bundle',
    no_digest: 'This file holds no digest.',
    valid: 'The history is intact',
    invalid: 'The history does not match',
    checked: (events: number, ms: number) =>
      `${numberText(events)} events were checked in ${durationText(ms)}.`,
    broken: (revision: number | null, reason: string) =>
      revision === null ? reason : `From revision ${revision.toLocaleString(LOCALE)} on: ${reason}`,
    digest_matches: (file: string) => `The history contains what ${file} commits to.`,
    drift: (documents: number) =>
      documents === 0
        ? 'Snapshots and the read model equal the events.'
        : `${numberText(documents)} ${documents === 1 ? 'document' : 'documents'} of snapshots or the read model differ from the events.`,
    digest: 'Signed digest',
    digest_hint:
      'It commits to the whole past. Keep it outside this service: a later check shows whether the past is still the same.',
    download_digest: 'Download the digest',
    bundle: 'Bundle of evidence',
    bundle_hint:
      'One file with a report, the signed digests of now and of the point, proofs of the event at the point and of a record, the public key, and how to check all of it offline.',
    event: (revision: string, summary: string) => `Event ${revision}: ${summary}`,
    record: 'Record to prove (optional)',
    download: 'Download the bundle',
    report_of: (organization: string) => `Evidence about ${organization}`,
    all: 'All data of this report',
    events: totalText('event', 'events'),
    rows: {
      organization: 'Organization',
      revision: 'Revision of the digest',
      signed: 'Signed at',
      signed_utc: 'Signed at (UTC)',
      log_root: 'Root of the log',
      chain_hash: 'Hash of the last event',
      state_hash: 'Hash of the state',
      public_key: 'Public key',
      event: 'Event',
      event_time: 'Time of the event (UTC)',
      reason: 'Reason',
      record: 'Record',
    },
    how_to_check: (files: string) =>
      `Check this evidence without the server, with the command of the service:

  drive-workspace ops verify ${files} --public-key "$(cat public-key.txt)"

In a clone of its sources: npm run -s ops -- verify ${files} --public-key "$(cat public-key.txt)"

The public key in this archive is what the server says it is. Compare it with a copy from a source that
you trust. A digest commits to all events up to its revision; the proofs show that the event and the
record are covered by them.
`,
  },

  operations: {
    of_now: 'This page shows the service as it is now, not at the chosen point in time.',
    health: 'Service',
    ready: 'Ready',
    not_ready: 'Not ready',
    lag: (events: number) =>
      events === 0
        ? 'The read model is up to date.'
        : `The read model lags ${events.toLocaleString(LOCALE)} events behind.`,
    troubled: (drives: number, webhooks: number) =>
      `Damaged organizations: ${drives}. Quarantined webhooks: ${webhooks}.`,
    reindex: 'Read model',
    reindex_hint:
      'Compares all lists with the events, then rebuilds them and the search. The organization stays in use meanwhile.',
    reindex_now: 'Rebuild the read model',
    progress: 'Progress of the rebuild',
    reindexed: (percent: number, folded: number, total: number, documents: number) =>
      `${percent} %: ${numberText(folded)} of ${numberText(total)} events, ${numberText(documents)} documents written`,
    rebuilt: 'The read model was rebuilt',
    not_rebuilt: 'The read model was not rebuilt',
    finished: 'Finished:',
    verify_documents: 'Check that the documents equal the events',
    changed: (documents: number) =>
      documents === 0
        ? 'It changed nothing: documents and snapshots equalled the events before.'
        : `Before, ${numberText(documents)} ${documents === 1 ? 'document differed' : 'documents differed'} from the events, snapshots included.`,
    changes_unknown: 'What it changed is unknown: only auditors may compare.',
    damaged: (reason: string) => `Before the rebuild: ${reason}`,
    rebuilt_from: (events: number, documents: number, ms: number) =>
      `${numberText(events)} events gave ${numberText(documents)} documents in ${durationText(ms)}.`,
    no_webhooks: 'There are no webhooks.',
    state: 'State',
    paused: 'Paused',
    test: 'Test',
    send_test: 'Send a test event',
    answered: (status: number, ms: number) => `Status ${status} after ${ms} ms`,
    storage: 'Storage',
    used: (contents: number, used: string, quota: string) =>
      `${contents.toLocaleString(LOCALE)} contents, ${used} used; quota: ${quota}.`,
    quota: 'Quota',
    no_quota: 'none',
    keys: 'All API keys, with their owners and windows',
    export: 'Export',
    export_hint:
      'On the machine of the service, this command writes the whole organization with its history to a file that another installation can import:',
  },
};
