import { eventSchema } from '../../domain/drive/events.js';
import { MASKED } from '../../domain/kernel/fields.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventMetadata } from '../../engine/writer/metadata.js';
import type { Opener } from '../../domain/kernel/sealed.js';
import type { NewEvent } from '../../event-store/port.js';
import { REPLAY_FAMILIES } from './families.js';
import {
  integer,
  listOf,
  nullable,
  oneOf,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';

/** Maximum changed records named in one event record. */
export const MOST_RESOURCES = 100;

/**
 * Sorts keys by family and then by id. A cascade visits records in an order that depends on whether the state was
 * loaded from a snapshot; answers must not depend on it.
 */
export function inFamilyOrder<Key extends TouchedKey>(keys: readonly Key[]): Key[] {
  const place = ({ family }: Key): number => REPLAY_FAMILIES.indexOf(family);
  return keys.toSorted((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** The first keys, at most `MOST_RESOURCES`, in their order; those of the records that a caller asked for in any case. */
export function firstResources<Key extends Pick<TouchedKey, 'id'>>(
  keys: readonly Key[],
  asked_for: ReadonlySet<string>,
): Key[] {
  let others = MOST_RESOURCES - keys.filter(({ id }) => asked_for.has(id)).length;
  return keys.filter(({ id }) => asked_for.has(id) || others-- > 0);
}

const NONE: ReadonlySet<string> = new Set();

const actorView = view('Actor', {
  user_id: nullable(text()),
  api_key_id: nullable(text()),
  via: oneOf<string>(['API_KEY', 'SIGNATURE', 'REDEEM_CODE', 'FACTORY', 'SYSTEM']),
});

/** An event as shown to callers, without its body. */
export const eventRecordView = view('EventRecord', {
  revision: integer(),
  event_id: text(),
  type: text({ example: 'GroupCreated' }),
  version: integer('Version of the schema of the event'),
  timestamp_ms: integer(),
  actor: actorView,
  command: text({ example: 'CreateGroup' }),
  correlation_id: text(),
  allowed_by: listOf(text(), 'OWNER, SELF, CODE, FACTORY, SYSTEM, or ids of grants and invites'),
  reason: nullable(text()),
  resource_ids: listOf(
    text(),
    'Records whose own fields it changed (stored contents too), at most 100; in a dry run by callers without VIEW on TABLE_AUDIT only those in `data`',
  ),
  resource_count: integer(),
  hash: text('64 hex digits'),
});
export type EventRecord = Shown<typeof eventRecordView>;

/**
 * Presents a stored event; `touched` are the records whose own fields it changed.
 * @param asked_for ids that it names in any case if it changed them
 */
export function presentEvent(
  event: NewEvent & { readonly revision: number },
  touched: readonly TouchedKey[],
  asked_for = NONE,
): EventRecord {
  const metadata = JSON.parse(event.metadata) as EventMetadata;
  return {
    revision: event.revision,
    event_id: event.event_id,
    type: event.type,
    version: event.version,
    timestamp_ms: event.timestamp_ms,
    actor: metadata.actor,
    command: metadata.command,
    correlation_id: metadata.correlation_id,
    allowed_by: metadata.allowed_by,
    reason: metadata.reason,
    // An organization and its drive record have one id.
    resource_ids: [
      ...new Set(firstResources(inFamilyOrder(touched), asked_for).map(({ id }) => id)),
    ],
    resource_count: new Set(touched.map(({ id }) => id)).size,
    hash: Buffer.from(event.hash).toString('hex'),
  };
}

/** Presents the body of an event: personal fields decrypted, secrets and digests masked for every caller. */
export function presentBody(type: string, body: object, open: Opener): Record<string, unknown> {
  const { secret = [], hidden = [] } = eventSchema(type) ?? {};
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const is_empty = value === null || value === undefined || value === '';
    const is_masked = !is_empty && (secret.includes(name) || hidden.includes(name));
    shown[name] = is_masked ? MASKED : open(value, name);
  }
  return shown;
}
