import type { RecordBase } from '../../domain/kernel/record.js';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../domain/foundation/decision.js';
import { contactWith } from '../../domain/relations/contact-with.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { presentRecord } from '../replay/families.js';
import { mayReadRecord } from './rights.js';
import { anything, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** One field of one record that an event changed. */
export const eventChangeView = view('EventChange', {
  resource_id: text('An organization and its drive record have one id'),
  field: text({ example: 'name' }),
  before: nullable(anything, 'Null if the record did not exist before; secrets are `***`'),
  after: nullable(anything, 'Null if the record no longer exists; secrets are `***`'),
});
export type EventChange = Shown<typeof eventChangeView>;

type Members = Readonly<Record<string, unknown>>;

/** Families with fields that no read shows to readers of the record; summaries would tell their values. */
const PARTLY_SHOWN: ReadonlySet<string> = new Set(['organization', 'contacts']);

/**
 * The part of an event that a reader without audit permission may see: the data of one record, redacted as `get` would
 * currently redact it for this reader.
 */
export class Concerning {
  /** The id under which all is shown to readers who may not see the record's former ids; null for others. */
  private readonly only_id: string | null;

  constructor(
    /** The reader's context on the current state, secrets masked. */
    private readonly context: Context,
    /** The current and former ids of the record. */
    private readonly ids: ReadonlySet<string>,
  ) {
    this.only_id = ids.size > 1 ? this.idForAll() : null;
  }

  /** Null if the `get` of the contact shows its former ids. */
  private idForAll(): string | null {
    // The id that was asked for comes first; its contact is the only one among them.
    const id = [...this.ids][0]!;
    const contact = contactWith(this.context.state, id);
    if (!contact) return id;
    const { past_user_ids } = presentRecord(this.context, 'contacts', contact) as Members;
    return (past_user_ids as readonly string[]).length > 0 ? null : contact.id;
  }

  /** The value, but for a former id of the record that the reader may not see: that reads as its current id. */
  idShown<V>(value: V): V | string {
    return this.only_id !== null && this.ids.has(value as string) ? this.only_id : value;
  }

  /** The ids of the record among the given ones, as shown to the reader. */
  idsShown(ids: readonly string[]): string[] {
    const own = ids.filter((id) => this.ids.has(id)).map((id) => this.idShown(id));
    return [...new Set(own)];
  }

  changes(changes: readonly RecordChange[]): EventChange[] {
    return this.ownChanges(changes).flatMap(({ definition, id: resource_id, before, after }) => {
      const was = this.viewOf(definition.name, before);
      const is = this.viewOf(definition.name, after);
      return Object.keys({ ...before, ...after })
        .filter((field) => field !== 'id' && field in { ...was, ...is })
        .map((field) => ({
          resource_id,
          field,
          before: this.idShown(was?.[field] ?? null),
          after: this.idShown(is?.[field] ?? null),
        }))
        .filter((change) => !isDeepStrictEqual(change.before, change.after));
    });
  }

  /** The changes of the record, under the ids that are shown: a superswap then changes one record. */
  private ownChanges(changes: readonly RecordChange[]): readonly RecordChange[] {
    const own = new Map<string, RecordChange>();
    for (const change of changes) {
      if (!this.ids.has(change.id)) continue;
      const id = this.idShown(change.id);
      const key = `${change.definition.name}\t${id}`;
      const same = own.get(key);
      const before = same?.before ?? change.before;
      const after = change.after ?? same?.after;
      own.set(key, { ...change, id, before, after });
    }
    return [...own.values()];
  }

  /** Members of an event's body that name the record or one of its changed fields. */
  data(body: Members, changes: readonly EventChange[]): Record<string, unknown> {
    const after = new Map(changes.map((change) => [change.field, change.after]));
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(body))
      if (typeof value === 'string' && this.ids.has(value)) shown[name] = this.idShown(value);
      else if (after.has(name)) shown[name] = after.get(name);
    return shown;
  }

  /** True if an event changed only fields of the organization or contact that no read shows to this reader. */
  isWithheld(changes: readonly RecordChange[], shown: readonly EventChange[]): boolean {
    const own = changes.filter(({ id }) => this.ids.has(id));
    return shown.length === 0 && own.some(({ definition }) => PARTLY_SHOWN.has(definition.name));
  }

  /** True for records that the reader may not read. Contacts are never hidden. */
  isHidden(family: string, record: RecordBase): boolean {
    if (family === 'contacts' || this.ids.has(record.id)) return false;
    return !mayReadRecord(this.context, family, record);
  }

  private viewOf(family: string, record: RecordBase | undefined): Members | undefined {
    return record && (presentRecord(this.context, family, record) as Members);
  }
}
