import type { webhookCommands } from '../../../libs/domain/webhooks/commands.js';
import { WEBHOOK_EVENTS } from '../../../libs/domain/webhooks/record.js';
import type { MakersOf } from './maker.js';

/** By what an event's name begins with: something that it can fire on. Others are of groups. */
const FITTING: readonly (readonly [begins: string, alt_index: string])[] = [
  ['file.', 'ALL_FILES'],
  ['subfile.', 'ALL_FILES'],
  ['folder.', 'ALL_FOLDERS'],
  ['subfolder.', 'ALL_FOLDERS'],
  ['drive.restore_trash', 'RESTORE_TRASH'],
  ['drive.state_diffs', 'STATE_DIFFS'],
  ['label.', 'LabelID_1'],
  ['org.superswap_user', 'SUPERSWAP_USER'],
  ['org.inbox.new_mail', 'INBOX_NEW_MAIL'],
];

export const webhookMakers: MakersOf<typeof webhookCommands> = {
  CreateWebhook: ({ chance, made, external, note, user, group, fresh, chosen }) => {
    const kind = chance.of(WEBHOOK_EVENTS);
    // Mostly what the event can fire on.
    const fitting = FITTING.find(([begins]) => kind.startsWith(begins))?.[1] ?? group();
    return {
      ...chosen('WebhookID_'),
      url: 'https://hook.example/',
      event: kind,
      alt_index: chance.once(8) ? user() : fitting,
      name: `Webhook ${made}`,
      ...chance.maybe('signature', note()),
      ...chance.maybe('filters', '{"topic":"topic"}'),
      ...external,
      fresh: { webhook_id: fresh('WebhookID_'), secret: fresh('whsec_') },
    };
  },
  UpdateWebhook: ({ chance, state, note, id, fresh }) => ({
    id: id(state.webhooks.ids(), 'WebhookID_'),
    ...chance.maybe('active', chance.once(2)),
    ...chance.maybe('rotate_secret', chance.once(2)),
    ...chance.maybe('take_over', chance.once(2)),
    ...chance.maybe('signature', note()),
    fresh: { secret: fresh('whsec_') },
  }),
  DeleteWebhook: ({ state, id }) => ({ id: id(state.webhooks.ids(), 'WebhookID_') }),
  ReplayWebhook: ({ chance, state, id }) => ({
    id: id(state.webhooks.ids(), 'WebhookID_'),
    ...{ from_revision: 0, to_revision: state.revision, queued: chance.of([0, 1, 9]) },
  }),
};
