import { isDeepStrictEqual } from 'node:util';
import { Access } from '../../domain/access/access.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import type { RecordBase } from '../../domain/kernel/record.js';
import type { Context } from '../../domain/foundation/decision.js';
import { contactWith, seesFormerIds } from '../../domain/relations/former-ids.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { presentRecord } from '../replay/families.js';
import { mayReadRecord } from './rights.js';
import { type Shown, text, view } from '../../domain/kernel/view.js';
import { fieldChangeView } from './changes.js';

/** One field of one record that an event changed. */
export const eventChangeView = view('EventChange', {
  resource_id: text('An organization and its drive record have one id'),
  ...fieldChangeView.members,
});
export type EventChange = Shown<typeof eventChangeView>;

type Members = Readonly<Record<string, unknown>>;

/** Families with fields that no read shows to readers of the record; summaries would tell their values. */
const PARTLY_SHOWN: ReadonlySet<string> = new Set(['organization', 'contacts']);

const USER_IDS = new RegExp(`${PREFIX.user}[A-Za-z0-9_-]+`, 'g');

/**
 * The part of an event that a reader without audit permission may see: the data of one record, redacted as `get` would
 * currently redact it for this reader.
 */
export class Concerning {
  /** Ids of users as the reader sees them. */
  private readonly shown_ids = new Map<string, string>();

  constructor(
    /** The reader's context on the current state, secrets masked. */
    private readonly context: Context,
    /** The current and former ids of the record. */
    private readonly ids: ReadonlySet<string>,
  ) {}

  /** The value, but for a former id of a user that the reader may not see: that reads as the current id. */
  idShown<V>(value: V): V | string {
    if (typeof value !== 'string' || !value.startsWith(PREFIX.user)) return value;
    let shown = this.shown_ids.get(value);
    if (shown === undefined) this.shown_ids.set(value, (shown = this.shownFor(value)));
    return shown;
  }

  private shownFor(user_id: string): string {
    const contact = contactWith(this.context.state, user_id);
    // The id that was asked for comes first; a deleted contact may have had several.
    if (!contact) return this.ids.has(user_id) ? [...this.ids][0]! : user_id;
    return seesFormerIds(Access.of(this.context), contact.id) ? user_id : contact.id;
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
      if (after.has(name)) shown[name] = after.get(name);
      else if (typeof value === 'string' && this.ids.has(value)) shown[name] = this.idShown(value);
    return shown;
  }

  /**
   * True if the summary of an event tells what no read shows to this reader: it names a former id of a user, or the event
   * changed only hidden fields of the organization or contact.
   */
  isWithheld(
    summary: string,
    changes: readonly RecordChange[],
    shown: readonly EventChange[],
  ): boolean {
    if (summary.match(USER_IDS)?.some((id) => this.idShown(id) !== id)) return true;
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
