import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on webhooks. */
export const WEBHOOKS_TEXTS: OperationTexts = {
  'get webhooks/get/{webhook_id}': { summary: 'Read a webhook' },
  'post webhooks/list': { summary: 'List webhooks', description: PAGES },
  'post webhooks/create': {
    summary: 'Have events sent to an address',
    description:
      'Needs the right to see what is watched: VIEW on the item (for sub… events one that reaches into ' +
      'the folder), the group or the label, else VIEW on AUDIT. The caller becomes the maker: of each event ' +
      'only that is delivered which the maker could see at that event. Without the right the webhook is paused ' +
      '(`paused_reason`), what happens meanwhile is not delivered, and it goes on when the right is back. ' +
      'Deliveries begin with the next event and ' +
      'are signed as in Standard Webhooks under the secret, shown in this answer only. Without `filters` ' +
      'an inbox webhook gets every notice; with them those of their `topic` only. sub… events reach up to 20 ' +
      'folders above an item, but not beyond what is sovereign. Labels that a file or folder is stored with count as pinned. Of a folder that is copied, moved or deleted ' +
      'the folder alone is told, not each thing in it. Payloads hold what everybody sees of a record. An organization has at most 1000 webhooks.',
  },
  'post webhooks/update': {
    summary: 'Change a webhook, or rotate its secret',
    description:
      'Another address, on or off, and `take_over` also need the right to see what is watched. `take_over` makes ' +
      'the caller the maker, also of a paused webhook; nothing else does. After a rotation ' +
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
      'and queues what it would be told of them as it is set now, and what its maker could see at each of ' +
      'them; the present owner may see all. A paused webhook is sent nothing. Each comes with the same webhook-id as ' +
      'the first time. It is on record as an event of the webhook, so an Idempotency-Key keeps a repeated ' +
      'request from sending twice. Looking at items (viewed, shared) is no event and cannot be sent again.',
  },
  'post webhooks/test': {
    summary: 'Send an example to a webhook now',
    description:
      'Needs EDIT. Sends one made-up delivery of the webhook’s event, signed like all others: `notes` marks it ' +
      'as a test, `nonce` is 0, and the payload holds no record of the organization. It is sent once, also to a ' +
      'webhook that is switched off (not to a paused one), past what waits in the queue, and answered when the ' +
      'receiver has answered or WEBHOOK_TIMEOUT_MS are over. It stores nothing: it is no event, it is not ' +
      'among the `deliveries`, it may not stand in a transaction, and it takes no `Dry-Run`. At most ' +
      '4 tests of an organization are under way at one time; more answer 503 `drive.overloaded`.',
  },
  'post webhooks/delete': {
    summary: 'Delete a webhook',
    description: 'What waits to be delivered to it is dropped.',
  },
};
