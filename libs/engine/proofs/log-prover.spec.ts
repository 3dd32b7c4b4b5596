import { MemorySideStores } from '../../event-store/memory/index.js';
import type { Drive } from '../writer/drive.js';
import { sha256 } from './hashing.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';

const EVENTS = 600;
const SIZES = [1, 2, 255, 256, 257, 511, 512, 513, EVENTS - 1, EVENTS];

describe('the root of a log as it was', () => {
  let side: MemorySideStores;
  let spec: EngineSpec;
  let drive: Drive;

  const roots = (): Promise<string[]> =>
    Promise.all(
      SIZES.map(async (size) => (await spec.drives.log.rootAt(drive, size)).toString('hex')),
    );

  beforeEach(async () => {
    side = new MemorySideStores();
    spec = new EngineSpec({ side });
    await spec.spawn();
    await Promise.all(Array.from({ length: EVENTS - 1 }, (_, nth) => spec.group(`G${nth}`)));
    drive = await spec.drives.open(DRIVE_A);
    // Writes the tiles, which else follow some time behind.
    await spec.drives.log.consistency(drive, 1, EVENTS);
  });

  it('is by the tiles what it is by the events', async () => {
    const folded = await Promise.all(
      SIZES.map(async (size) => {
        const loaded = await spec.drives.loader.load(DRIVE_A, { to: size - 1 });
        return loaded.folded.frontier.root().toString('hex');
      }),
    );
    expect(await roots()).toEqual(folded);
  });

  it('is read from the events where tiles lead elsewhere or are missing', async () => {
    const expected = await roots();
    const tile = (await side.tiles.get(DRIVE_A, 0, 0))!;
    const other = Buffer.from(tile.hashes);
    other.set(sha256('something else'));
    await side.tiles.put([{ ...tile, hashes: other }]);
    expect(await roots()).toEqual(expected);
    await side.tiles.drop(DRIVE_A);
    expect(await roots()).toEqual(expected);
  });
});
