import { type FilteredEvent, matchingOfTypes, matchingRevisions } from './matching-events.js';

const WHOLE = { from: 0, to: Infinity };

describe('matching events in memory', () => {
  let looked_up = 0;
  /** Counts how often an id is looked up. */
  class Ids extends Set<string> {
    override has(id: string): boolean {
      looked_up++;
      return super.has(id);
    }
  }
  let reads_of_types = 0;
  const event = (revision: number): FilteredEvent => ({
    revision,
    get type() {
      reads_of_types++;
      return `T${revision % 3}`;
    },
    actor: { user_id: null },
    command: 'C',
    correlation_id: 'r',
    allowed_by: [],
    reason: null,
    resource_ids: new Ids([`a${revision}`, `b${revision}`]),
  });
  const events = Array.from({ length: 10 }, (_, revision) => event(revision));

  it('looks up the few ids of an event among many wanted ones', () => {
    looked_up = 0;
    const resource_ids = Array.from({ length: 1_000 }, (_, nth) => `a${nth + 5}`);
    expect(matchingRevisions(events, { resource_ids }, WHOLE)).toEqual([5, 6, 7, 8, 9]);
    expect(looked_up).toBe(0);
  });

  it('counts many types in one pass', () => {
    reads_of_types = 0;
    const types = ['T2', ...Array.from({ length: 100 }, (_, nth) => `none${nth}`), 'T0', 'T2'];
    const counts = matchingOfTypes(events, {}, types, WHOLE);
    expect(counts).toEqual([3, ...types.slice(1, -2).map(() => 0), 4, 3]);
    expect(reads_of_types).toBe(events.length);
  });
});
