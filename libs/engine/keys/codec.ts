import type { DomainEvent } from '../../domain/foundation/events.js';
import { eventSchema } from '../../domain/drive/events.js';
import { Box, DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { canonicalJson } from '../proofs/hashing.js';
import type { Keyring } from './keyring.js';

/** Sealed fields in a stored body: a box, its key and the names of its fields. */
interface StoredBox {
  readonly box: string;
  readonly fields: readonly string[];
  readonly key: string;
}

interface StoredBody {
  readonly $sealed?: readonly StoredBox[];
}

/** An event's body in its stored form. */
interface EncodedEvent {
  readonly type: string;
  readonly version: number;
  /** Canonical JSON; boxes with sealed fields are under `$sealed`. */
  readonly data: string;
}

/** Seals the marked fields of an event, one box per key, and encodes its body as canonical JSON. */
export function encodeEvent(event: DomainEvent, keyring: Keyring): EncodedEvent {
  const marks = eventSchema(event.type);
  if (!marks) throw new Error(`no schema for event ${event.type}`);
  const { version, secret, personal } = marks;
  if (!secret && !personal) return { type: event.type, version, data: canonicalJson(event.data) };
  const body: Record<string, unknown> = { ...event.data };
  const boxes: StoredBox[] = [];
  const seal = (key: string, names: readonly string[] | undefined): void => {
    const fields: Record<string, unknown> = {};
    for (const name of names ?? []) {
      const value = body[name];
      if (value === undefined || value === null || value === '') continue;
      if (value instanceof Box) throw new Error(`event ${event.type}: ${name} is sealed already`);
      fields[name] = value;
      delete body[name];
    }
    const sealed = Object.keys(fields);
    if (sealed.length === 0) return;
    boxes.push({ box: keyring.seal(key, fields).text, fields: sealed.sort(), key });
  };
  seal(DRIVE_KEY_ID, secret);
  // Without a subject the field holds no personal data (see EventSchema.personal).
  if (typeof body.subject_key_id === 'string') seal(body.subject_key_id, personal);
  const stored = boxes.length > 0 ? { ...body, $sealed: boxes } : body;
  return { type: event.type, version, data: canonicalJson(stored) };
}

/** Prefix of a stored body with sealed fields: the mark sorts before all names. */
const SEALED_BODY = '{"$sealed"';

/** Parses a stored body; sealed fields become unopened boxes. */
export function decodeData(data: string): unknown {
  const parsed = JSON.parse(data) as StoredBody & Record<string, unknown>;
  if (!data.startsWith(SEALED_BODY)) return parsed;
  const { $sealed, ...body } = parsed;
  for (const { key, box: text, fields } of $sealed ?? []) {
    const box = new Box(key, text);
    for (const field of fields) body[field] = box;
  }
  return body;
}

export function boxesIn(data: string): Box[] {
  if (!data.startsWith(SEALED_BODY)) return [];
  const { $sealed } = JSON.parse(data) as StoredBody;
  return ($sealed ?? []).map(({ key, box }) => new Box(key, box));
}

/** The keys of the people that an event erases. */
export function erasedKeysOf({ type, data }: { type: string; data: string }): readonly string[] {
  if (type !== 'ContactErased') return [];
  return (JSON.parse(data) as { subject_key_ids: string[] }).subject_key_ids;
}
