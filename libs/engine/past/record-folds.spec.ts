import { groupCommands } from '../../domain/groups/definitions.js';
import type { Group } from '../../domain/groups/record.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { type VisitEvent, visitEvents } from './span.js';

describe('events far from any past state', () => {
  let spec: EngineSpec;
  let loads: number;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    await spec.group('A', 'GroupID_a');
    await spec.group('B', 'GroupID_b');
    for (const name of ['A2', 'A3'])
      await spec.run(groupCommands.UpdateGroup, { id: 'GroupID_a', name });
    await spec.run(groupCommands.DeleteGroup, { id: 'GroupID_b' });
    for (let at = 0; at < 300; at++) await spec.note(at);
    loads = 0;
    const load = spec.drives.loader.load.bind(spec.drives.loader);
    spec.drives.loader.load = (...asked) => (loads++, load(...asked));
  });

  const nameOf: VisitEvent<unknown> = (_, state, changes) => [
    (state.table('groups')!.get('GroupID_a') as Group | undefined)?.name,
    changes.map(({ id, before, after }) => [id, (before as Group)?.name, (after as Group)?.name]),
  ];
  const visited = async (revisions: readonly number[], of_one_record = true) => {
    const { revision: head } = (await spec.drives.open(DRIVE_A)).head;
    const indexed = await spec.drives.indexer.upTo(DRIVE_A, head);
    const visiting = { revisions, of_one_record, indexed };
    const found = await visitEvents(spec.drives, DRIVE_A, visiting, nameOf);
    return revisions.map((revision) => found.get(revision));
  };
  const CHANGES = [
    ['A2', [['GroupID_a', 'A', 'A2']]],
    ['A3', [['GroupID_a', 'A2', 'A3']]],
  ];

  it('are visited with the records that are read, and no state is loaded', async () => {
    expect(await visited([3, 4])).toEqual(CHANGES);
    expect(loads).toBe(0);
  });

  it('are visited with a state of all records if there are many of many records', async () => {
    const found = await visited([0, 1, 2, 3, 4], false);
    expect(found.slice(3)).toEqual(CHANGES);
    expect(loads).toBe(1);
  });

  it('are visited with a state of all records if an event searches them', async () => {
    const [[name, changes]] = (await visited([5])) as [[string, unknown[]]];
    expect(name).toBe('A3');
    expect(changes).toContainEqual(['GroupID_b', 'B', undefined]);
    expect(loads).toBe(1);
  });

  it('are visited with what a state that is near remembers, and it stays where it is', async () => {
    const { past_states } = spec.drives;
    for (const at of [10, 2]) {
      await past_states.read(DRIVE_A, 10, () => {});
      await past_states.read(DRIVE_A, at, () => {});
      loads = 0;
      const find = spec.side.index.find.bind(spec.side.index);
      let searches = 0;
      spec.side.index.find = (...asked) => (searches++, find(...asked));
      expect(await visited([3, 4])).toEqual(CHANGES);
      expect([loads, searches]).toEqual([0, 0]);
      expect(past_states.timeAt(DRIVE_A, at)).toBeDefined();
    }
  });

  it('are visited by a state that is near if there are many, or if an event searches records', async () => {
    const { past_states } = spec.drives;
    await past_states.read(DRIVE_A, 10, () => {});
    loads = 0;
    const found = await visited([0, 1, 2, 3, 4], false);
    expect(found.slice(3)).toEqual(CHANGES);
    expect(past_states.timeAt(DRIVE_A, 4)).toBeDefined();
    const [[name]] = (await visited([5])) as [[string]];
    expect(name).toBe('A3');
    expect(past_states.timeAt(DRIVE_A, 5)).toBeDefined();
    expect(loads).toBe(0);
  });
});
