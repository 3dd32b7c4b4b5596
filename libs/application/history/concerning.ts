import type { RecordBase } from '../../domain/kernel/record.js';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../domain/foundation/decision.js';
import type { RecordChange } from '../../domain/kernel/undo-log.js';
import { presentRecord } from '../replay/families.js';
import { mayReadRecord } from './rights.js';
import { anything, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** One field of one record that an event changed. */
export const eventChangeView = view('EventChange', {
  resource_id: text(),
  field: text({ example: 'name' }),
  before: nullable(anything, 'Null if the record did not exist before; secrets are `***`'),
  after: nullable(anything, 'Null if the record no longer exists; secrets are `***`'),
});
export type EventChange = Shown<typeof eventChangeView>;

type Members = Readonly<Record<string, unknown>>;

/**
 * The part of an event that a reader without audit permission may see: the data of one record, redacted as `get` would
 * currently redact it for this reader.
 */
export class Concerning {
  constructor(
    /** The reader's context on the current state, secrets masked. */
    private readonly context: Context,
    /** The current and former ids of the record. */
    readonly ids: ReadonlySet<string>,
  ) {}

  changes(changes: readonly RecordChange[]): EventChange[] {
    return changes
      .filter(({ id }) => this.ids.has(id))
      .flatMap(({ definition, id: resource_id, before, after }) => {
        const was = this.viewOf(definition.name, before);
        const is = this.viewOf(definition.name, after);
        return Object.keys({ ...before, ...after })
          .filter((field) => field !== 'id' && field in { ...was, ...is })
          .map((field) => ({
            resource_id,
            field,
            before: was?.[field] ?? null,
            after: is?.[field] ?? null,
          }))
          .filter((change) => !isDeepStrictEqual(change.before, change.after));
      });
  }

  /** Members of an event's body that name the record or one of its changed fields. */
  data(body: Members, changes: readonly EventChange[]): Record<string, unknown> {
    const after = new Map(changes.map((change) => [change.field, change.after]));
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(body))
      if (typeof value === 'string' && this.ids.has(value)) shown[name] = value;
      else if (after.has(name)) shown[name] = after.get(name);
    return shown;
  }

  /** True if an event changed only fields of the organization that no read shows to this reader. */
  isWithheld(changes: readonly RecordChange[], shown: readonly EventChange[]): boolean {
    const own = changes.filter(({ id }) => this.ids.has(id));
    return shown.length === 0 && own.some(({ definition }) => definition.name === 'organization');
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
