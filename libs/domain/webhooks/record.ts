import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

/** Prefix of their ids. */
export const WEBHOOK_ID = 'WebhookID_';

export const WEBHOOK_EVENTS = [
  'file.viewed',
  'file.created',
  'file.updated',
  'file.deleted',
  'file.shared',
  'folder.viewed',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'folder.shared',
  'subfile.viewed',
  'subfile.created',
  'subfile.updated',
  'subfile.deleted',
  'subfile.shared',
  'subfolder.viewed',
  'subfolder.created',
  'subfolder.updated',
  'subfolder.deleted',
  'subfolder.shared',
  'group.invite.created',
  'group.invite.updated',
  'drive.restore_trash',
  'drive.state_diffs',
  'label.added',
  'label.removed',
  'org.superswap_user',
  'org.inbox.new_mail',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Values of `alt_index` that do not name a single record. */
export const WATCHES = {
  all_files: 'ALL_FILES',
  all_folders: 'ALL_FOLDERS',
  restore_trash: 'RESTORE_TRASH',
  state_diffs: 'STATE_DIFFS',
  superswap: 'SUPERSWAP_USER',
  inbox: 'INBOX_NEW_MAIL',
} as const;

/** The fields of a webhook that a client may change, with their defaults. */
export const WEBHOOK_DEFAULTS = {
  /** Sent in a separate header; `''` for none. */
  signature: '',
  description: '',
  note: '',
  active: true,
  /** JSON text of an object; `''` for none. */
  filters: '',
  external_id: null as string | null,
  external_payload: null as string | null,
};

export type WebhookFields = Omit<typeof WEBHOOK_DEFAULTS, 'signature'> & {
  name: string;
  url: string;
  signature: Sealed<string>;
};

export interface Webhook extends RecordBase, Readonly<WebhookFields> {
  /** The watched resource: an id, one of `WATCHES`, or an inbox topic. */
  readonly alt_index: string;
  readonly event: WebhookEvent;
  /** Signs deliveries (Standard Webhooks). */
  readonly secret: Sealed<string>;
  /** The secret before the last rotation, still valid; `''` before the first. */
  readonly previous_secret: Sealed<string>;
  /** The user whose permissions limit deliveries; `''` in webhooks older than this field: the owner's apply. */
  readonly created_by: string;
  readonly created_at: number;
}

export const webhookFamily: FamilyDefinition<Webhook> = {
  name: 'webhooks',
  prefix: WEBHOOK_ID,
  table: 'TABLE_WEBHOOKS',
  noun: 'webhook',
  defaults: { label_ids: [], previous_secret: '', created_by: '', ...WEBHOOK_DEFAULTS },
  // A topic of the inbox may be a user's id, and follows the user to a new one.
  user_fields: ['alt_index', 'created_by'],
  uncounted_in_superswap: true,
  indexes: { ...byExternalId, alt_index: (webhook) => webhook.alt_index },
};

/** Refusals of this family's commands and queries. */
export const webhookRefusals = {
  'webhook-not-found': notFound('webhook'),
  'too-many-webhooks': {
    type: 'webhook.too-many',
    status: 400,
    title: 'The organization has the maximum number of webhooks.',
  },
  'webhook-inactive': {
    type: 'webhook.inactive',
    status: 400,
    title: 'The webhook is inactive.',
  },
  'webhook-paused': {
    type: 'webhook.paused',
    status: 400,
    title:
      'The webhook is paused: its creator was deleted or may not see the watched records. Restore the permission, or take over the webhook.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    webhooks: Webhook;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof webhookRefusals> {}
}
