import type { Random } from '../../bench/harness/random.js';
import { NOTE } from './views/people.js';
import { NAME } from './views/tables.js';
import type { Id, World } from './world.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Random choices over the records that the model has. */
export class Choices {
  constructor(
    protected readonly random: Random,
    /** Users who can sign, contacts or not; the first ones are contacts from the start. */
    protected readonly signers: readonly Id[],
  ) {}

  protected created(id: Id): any {
    return { id, external_id: id, name: NAME, private_note: NOTE };
  }

  /** One that exists, seldom one that does not. */
  protected idOf(table: ReadonlyMap<Id, unknown>, none: Id): Id {
    return table.size === 0 || this.random.next() < 0.04 ? none : this.of([...table.keys()]);
  }

  /** Contacts more often than others. */
  protected user(world: World): Id {
    return this.of([...world.contacts.keys(), ...this.signers]);
  }

  /** None, begun, not yet begun, ending soon, over. */
  protected window(now: number, begin: string, end: string): any {
    const soon = now + 5 * MINUTE_MS;
    return this.of([
      {},
      {},
      {},
      { [end]: soon },
      { [begin]: soon },
      { [begin]: now - MINUTE_MS, [end]: now + DAY_MS },
      { [end]: now - MINUTE_MS },
      { [begin]: soon, [end]: now + HOUR_MS },
      { [begin]: 0, [end]: -1 },
    ]);
  }

  /** Some of the fields, at least one. */
  protected some(fields: Record<string, unknown>, share = 0.5): Record<string, unknown> {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const chosen = given.filter(() => this.random.next() < share);
    return Object.fromEntries(chosen.length > 0 || share < 0.5 ? chosen : given.slice(-1));
  }

  protected of<T>(values: readonly T[]): T {
    return values[Math.floor(this.random.next() * values.length)]!;
  }
}
