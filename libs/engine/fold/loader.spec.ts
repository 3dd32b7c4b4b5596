import { MemorySideStores } from '../../event-store/memory/index.js';
import { SNAPSHOT_VERSION } from '../snapshots/snapshot.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { StateLoader } from './loader.js';

describe('a load', () => {
  it('passes over a snapshot of another past, also where it cannot be dropped', async () => {
    const side = new MemorySideStores();
    const spec = new EngineSpec({ side });
    await spec.spawn();
    await spec.note();
    await spec.note();
    await side.snapshots.put({
      ...{ drive_id: DRIVE_A, revision: 1, event_hash: new Uint8Array(32) },
      ...{ state_version: SNAPSHOT_VERSION, body: new Uint8Array(3) },
    });
    // As stores do that are opened for reading.
    side.snapshots.drop = () => Promise.reject(new Error('snapshots.db is opened read-only'));
    const { folded } = await new StateLoader(spec.events, side).load(DRIVE_A, { to: Infinity });
    expect(folded.state.revision).toBe(2);
    await spec.drives.close();
  });
});
