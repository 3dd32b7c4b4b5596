import type { Drive } from '../writer/drive.js';
import { emptyState } from '../fold/fold.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { DrivesInMemory } from './drives-in-memory.js';

/** Drives of which those named `large…` take long to load: until the gate opens. */
function drives(cold_loads_max: number) {
  const gate = new Gate();
  const building: string[] = [];
  const memory = new DrivesInMemory({
    async build(drive_id) {
      building.push(drive_id);
      if (drive_id.startsWith('large')) await gate.pass();
      return { drive_id, folded: emptyState(drive_id), holders: 0 } as Drive;
    },
    isLong: async (drive_id) => drive_id.startsWith('large'),
    evict: () => {},
    clock: () => 0,
    budget_bytes: Infinity,
    cold_loads_max,
  });
  return { gate, building, memory };
}

describe('long loads of drives', () => {
  it('leave a quarter of the places to others', async () => {
    const { gate, building, memory } = drives(4);
    const large = [1, 2, 3, 4, 5].map((nth) => memory.open(`large ${nth}`));
    await gate.reached;
    await expect(memory.open('small')).resolves.toMatchObject({ drive_id: 'small' });
    expect(building).toEqual(['large 1', 'large 2', 'large 3', 'small']);
    gate.open();
    await Promise.all(large);
    expect(building).toHaveLength(6);
  });

  it('run one after another with a single place', async () => {
    const { gate, building, memory } = drives(1);
    const large = [1, 2].map((nth) => memory.open(`large ${nth}`));
    await gate.reached;
    expect(building).toEqual(['large 1']);
    gate.open();
    await Promise.all(large);
    expect(building).toEqual(['large 1', 'large 2']);
  });
});

describe('drives beyond the memory budget', () => {
  it('are evicted in the order of their use, although the clock was set back', async () => {
    const spec = new EngineSpec({ limits: { state_cache_bytes: 100_000 } });
    await spec.spawn();
    spec.setClock(-3_600_000);
    const others = Array.from({ length: 40 }, (_, nth) => `DriveID_${nth}`);
    for (const drive_id of others) await spec.spawn(drive_id);
    expect(spec.drives.loaded(DRIVE_A)).toBeUndefined();
    expect(spec.drives.loaded(others.at(-1)!)).toBeDefined();
    await spec.drives.close();
  });
});
