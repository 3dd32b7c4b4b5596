import { fileView } from '../../../libs/domain/directory/file-view.js';
import { folderView } from '../../../libs/domain/directory/folder-view.js';
import { inviteView } from '../../../libs/domain/groups/invites-reads.js';
import { groupView } from '../../../libs/domain/groups/reads.js';
import {
  described,
  flag,
  inline,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  text,
  type View,
  view,
} from '../../../libs/domain/kernel/view.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../libs/domain/webhooks/record.js';
import { eventRecordView } from '../../../libs/application/replay/event-record.js';

const itemOf = <T extends string>(type: T, member: 'file' | 'folder', of: View): View =>
  view(`${type[0]!.toUpperCase()}${type.slice(1)}Payload`, {
    type: oneOf([type], 'Kind of the payload'),
    [member]: of,
  });

const ITEMS = {
  file: itemOf('file', 'file', fileView),
  subfile: itemOf('subfile', 'file', fileView),
  folder: itemOf('folder', 'folder', folderView),
  subfolder: itemOf('subfolder', 'folder', folderView),
};

const sharePayload = view('SharePayload', {
  type: oneOf(['share_tracking'], 'Kind of the payload'),
  id: text('Id of the share'),
  hash: text('Base64 of JSON with the id and the user who shared'),
  origin_id: optional(text('Id of the share that this one continues')),
  origin_hash: optional(text('Hash of the share that this one continues')),
  from_user: optional(text('Id of the user who shared')),
  to_user: optional(text('Id of the grantee')),
  resource_id: text('Id of the file or folder'),
  resource_name: text('Name of the file or folder'),
  drive_id: text('Id of the organization'),
  timestamp_ms: integer('Time in ms'),
  host_url: text('URL of the service'),
});
const invitePayload = view('GroupInvitePayload', {
  type: oneOf(['group_invite'], 'Kind of the payload'),
  group: described(groupView, 'The group'),
  group_invite: described(inviteView, 'The invite'),
});
const labelPayload = view('LabelPayload', {
  type: oneOf(['label'], 'Kind of the payload'),
  resource_id: text('Id of the record'),
  label_id: text('Id of the label'),
  label_value: text('Value of the label'),
  add: flag('True: the label was pinned; false: it was removed'),
});
const superswapPayload = view('SuperswapPayload', {
  type: oneOf(['superswap_userid'], 'Kind of the payload'),
  content: text('User id'),
});
const eventPayload = view('EventPayload', {
  type: oneOf(['state_diffs'], 'Kind of the payload'),
  data: eventRecordView,
});
const inboxPayload = view('InboxPayload', {
  type: oneOf(['org_inbox_new_notif'], 'Kind of the payload'),
  drive_id: text('Id of the organization'),
  topic: nullable(text(), 'Topic of the notice; null for none'),
  payload: object('Content of the notice'),
});

type ItemEvent = Extract<WebhookEvent, `${keyof typeof ITEMS}.${string}`>;

const OTHERS: { readonly [E in Exclude<WebhookEvent, ItemEvent>]: View } = {
  'group.invite.created': invitePayload,
  'group.invite.updated': invitePayload,
  'drive.restore_trash': ITEMS.file,
  'drive.state_diffs': eventPayload,
  'label.added': labelPayload,
  'label.removed': labelPayload,
  'org.superswap_user': superswapPayload,
  'org.inbox.new_mail': inboxPayload,
};

/** The view of one side of an event's deliveries. */
function sideOf(event: WebhookEvent): View {
  const [family, what] = event.split('.') as [keyof typeof ITEMS, string];
  if (!(family in ITEMS)) return OTHERS[event as keyof typeof OTHERS];
  return what === 'shared' ? sharePayload : ITEMS[family];
}

/** `FileDelivery` for all events whose sides are `FilePayload`. */
function deliveryView(side: View, events: readonly WebhookEvent[]): View {
  return view(side.name.replace(/Payload$/, 'Delivery'), {
    event: oneOf(events, 'The event'),
    timestamp_ms: integer('Time of the event in ms'),
    nonce: integer('Increases with every delivery of the webhook; 0 for a test'),
    webhook_id: text('Id of the webhook'),
    webhook_alt_index: text('The watched object'),
    payload: described(
      inline({
        before: optional(side, 'Before the event; absent if it was created'),
        after: optional(side, 'After the event; absent if it was deleted'),
      }),
      'What the event concerns',
    ),
    notes: optional(text('Present if the delivery is a test')),
  });
}

/** The views of deliveries, by the view of their sides. */
const DELIVERIES = new Map(
  [...Map.groupBy(WEBHOOK_EVENTS, sideOf)].map(([side, events]) => [
    side,
    deliveryView(side, events),
  ]),
);

export const DELIVERY_VIEWS: readonly View[] = [...DELIVERIES.values()];

const HEADERS = [
  ['webhook-id', 'Id of the delivery; the same in retries'],
  ['webhook-timestamp', 'Time of the attempt in seconds'],
  ['webhook-signature', 'Signatures as in Standard Webhooks, one for each valid secret'],
] as const;

/** The section `webhooks` of the API document. */
export function webhookDocuments(): Record<string, object> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [event, { post: deliveryDocument(event) }]),
  );
}

function deliveryDocument(event: WebhookEvent): object {
  const words = event.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return {
    operationId: `receive${words.join('')}`,
    summary: `Receive ${event}`,
    description: `Sent to the URL of a webhook after \`${event}\`.`,
    tags: ['webhook deliveries'],
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      description,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: DELIVERIES.get(sideOf(event))!.schema } },
    },
    responses: {
      '200': { description: 'Received, as with any other 2XX' },
      '4XX': { description: 'Refused; sent again later, as after any other status' },
    },
  };
}
