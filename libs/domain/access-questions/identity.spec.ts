import fc from 'fast-check';
import { event } from '../foundation/events.js';
import { serviceContactCreated } from '../relations/bare-contact.js';
import { contactWith } from '../relations/former-ids.js';
import { SpecDrive } from '../testing/drive.js';
import { Identities } from './identity.js';

/** Swaps at revisions 1, 2, …, each `from>to` with the ids' last letters. */
function identities(...swaps: readonly string[]): Identities {
  const drive = new SpecDrive();
  for (const swap of swaps) {
    const [current_user_id, new_user_id] = swap.split('>') as [string, string];
    drive.given(event('UserSuperswapped', { current_user_id, new_user_id, updated_count: 0 }));
  }
  return new Identities(drive.state);
}

describe('ids through superswaps', () => {
  it('a current id resolves to the former ids in their time', () => {
    const ids = identities('a>b', 'b>c');
    expect([0, 1, 2, 9].map((revision) => ids.userThen('c', revision))).toEqual([
      'a',
      'b',
      'c',
      'c',
    ]);
  });

  it('a former id resolves to itself', () => {
    const ids = identities('a>b');
    expect([ids.userThen('a', 0), ids.userThen('a', 1)]).toEqual(['a', 'a']);
  });

  it('an id that was swapped back means the same person at all times', () => {
    const ids = identities('a>b', 'b>a');
    expect([0, 1, 2].map((revision) => ids.userThen('a', revision))).toEqual(['a', 'b', 'a']);
  });

  it('an id that belonged to another user before resolves to no user at that time', () => {
    const ids = identities('a>b', 'a>c');
    expect([ids.userThen('c', 1), ids.userThen('c', 0), ids.userThen('b', 0)]).toEqual([
      'a',
      '',
      'a',
    ]);
    expect(ids.resourceThen('c', 0)).toBe('c');
  });

  it('follows an id forward from a point', () => {
    const ids = identities('a>b', 'b>c');
    expect([0, 1, 2].map((revision) => ids.since('a', revision))).toEqual(['c', 'a', 'a']);
    expect([ids.since('b', 1), ids.newSince(0), ids.newSince(1)]).toEqual(['c', ['b', 'c'], ['c']]);
  });
});

const USERS = ['UserID_a', 'UserID_b', 'UserID_c', 'UserID_d'];
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);

/** A contact through its life: its id just after each revision from its creation on. */
interface Life {
  readonly born: number;
  readonly ids: string[];
}

/** Contacts that are created, swapped and deleted; every id may be used again. */
class Town {
  readonly drive = new SpecDrive();
  readonly living = new Map<string, Life>();

  take(step: 'create' | 'swap' | 'delete', id: string, other: string): void {
    const { drive, living } = this;
    const life = living.get(id);
    const holder = contactWith(drive.state, step === 'swap' ? other : id);
    if (step === 'create') {
      if (holder) return;
      drive.given(serviceContactCreated(id, `subject-${drive.state.revision}`));
      const created = { born: drive.state.revision, ids: [] };
      living.set(id, created);
    } else if (!life) return;
    else if (step === 'delete') {
      drive.given(event('ContactDeleted', { contact_id: id }));
      living.delete(id);
    } else {
      if (holder && (holder.id === other || holder.id !== id)) return;
      const swap = { current_user_id: id, new_user_id: other, updated_count: 0 };
      drive.given(event('UserSuperswapped', swap));
      living.delete(id);
      living.set(other, life);
    }
    for (const [now, { ids }] of living) ids.push(now);
  }
}

describe('ids of contacts that were deleted and created again', () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom('create' as const, 'swap' as const, 'delete' as const),
      fc.constantFrom(...USERS),
      fc.constantFrom(...USERS),
    ),
    { minLength: 6, maxLength: 40, size: 'max' },
  );

  it('a contact has its own ids in its life, and no id of another before it', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const town = new Town();
        for (const step of taken) town.take(...step);
        const ids = new Identities(town.drive.state);
        for (const [id, { born, ids: had }] of town.living) {
          const then = had.map((_, at) => ids.userThen(id, born + at));
          expect(then).toEqual(had);
          expect(had.map((one, at) => ids.since(one, born + at))).toEqual(had.map(() => id));
          for (let revision = 0; revision < born; revision++)
            expect(['', had[0]]).toContain(ids.userThen(id, revision));
          expect(ids.everOf(id).toSorted()).toEqual([...new Set(had)].sort());
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('a new contact does not have the past of the deleted one that was swapped to its id', () => {
    const town = new Town();
    town.take('create', 'UserID_a', '');
    town.take('swap', 'UserID_a', 'UserID_b');
    town.take('delete', 'UserID_b', '');
    const gone = new Identities(town.drive.state);
    expect([gone.userThen('UserID_b', 1), gone.since('UserID_a', 1)]).toEqual([
      'UserID_a',
      'UserID_b',
    ]);
    town.take('create', 'UserID_b', '');
    const ids = new Identities(town.drive.state);
    expect([ids.userThen('UserID_b', 1), ids.since('UserID_a', 1)]).toEqual([
      'UserID_b',
      'UserID_a',
    ]);
  });

  it('a contact has the former id of the user without a contact whose id it is', () => {
    const town = new Town();
    town.take('create', 'UserID_a', '');
    town.take('delete', 'UserID_a', '');
    const swap = { current_user_id: 'UserID_a', new_user_id: 'UserID_b', updated_count: 0 };
    town.drive.given(event('UserSuperswapped', swap));
    town.take('create', 'UserID_b', '');
    expect(new Identities(town.drive.state).userThen('UserID_b', 1)).toBe('UserID_a');
  });
});
