import type { OperationTexts } from './operation-text.js';
import { CODE } from './phrases.js';

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
of the error as its reason: 1008 for errors that the caller must correct, 1013 to try again later. Later closes: 1008
(\`permission.denied\`, \`signalling.too-many-messages\`), 1003 for binary messages, 1009 for messages over 64
KiB, 1000 (\`signalling.idle\`) after 5 minutes without a message, 1001 (\`server.stopping\`). Whoever does not
read or answers no ping is cut off without a word (1006). A file has at most 50 peers; a peer may send 50
messages a second and listen to 100 topics. All of these are settings.

Any origin may connect: no cookie or other credential that a browser adds by itself counts here, so a page
can only use a token it has. A request that is no upgrade is 426.
`.trim();

/** Operations on an organization as a whole. */
export const ORGANIZATION_TEXTS: OperationTexts = {
  'post transaction': {
    summary: 'Several commands, all of them or none',
    description:
      'Decided in order on one state and stored in one write. A text like `$0.id` in a field that the body ' +
      'declares stands for that field of an earlier result; with what they stand for, the bodies together ' +
      'are no longer than one request body may be, and the results no longer than ' +
      'TRANSACTION_ANSWER_BYTES (413). The first refusal stops it: nothing is stored, and ' +
      'its status and error are answered with `index`. Each command keeps its own rules about callers. ' +
      'Idempotency-Key, Dry-Run and Audit-Reason are for the whole. No reads, and no transaction, ' +
      'organization/reindex, contacts/erase, directory/action, webhooks/replay or webhooks/test.',
  },
  'get organization/about': {
    summary: 'What the organization is',
    description: 'Callers without VIEW on DRIVES get name, owner and email redacted.',
  },
  'get organization/snapshot': {
    summary: 'The whole state by family, for debugging',
    description: 'Owner only; 403 in production. Secrets are masked.',
  },
  'post organization/search': {
    summary: 'Search records of several families',
    description:
      'Case-insensitive substrings of any length. Only what the caller may view is found or counted.',
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
};
