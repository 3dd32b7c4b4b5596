import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '../../libs/domain/drive/events.js';
import { applyEvent, emptyState } from '../../libs/engine/fold/fold.js';
import { readSnapshot, writeSnapshot } from '../../libs/engine/snapshots/snapshot.js';
import { generateGolden } from './generate.js';
import { expectedOf, foldGolden, readGoldens } from './golden.js';

const FOLDER = join(import.meta.dirname, 'streams');

// A release that stores something new adds a folder of its own, named after it:
// GOLDEN_GENERATE=v2 npm run jest -- test/golden
const generate = process.env.GOLDEN_GENERATE;
if (generate) await generateGolden(join(FOLDER, generate));

const versions = readdirSync(FOLDER).map((version) => ({
  version,
  streams: readGoldens(join(FOLDER, version)),
}));
const streams = versions.flatMap(({ version, streams: all }) =>
  all.map((stream) => ({ name: `${version}/${stream.golden.drive_id}`, ...stream })),
);

describe('stored events of every release', () => {
  it.each(streams)('$name folds to what it folded to then', ({ golden, expected }) => {
    expect(expectedOf(foldGolden(golden), golden)).toEqual(expected);
  });

  it.each(streams)('$name does so through a snapshot after every event', async ({ golden }) => {
    const { drive_id, events } = golden;
    const hash = foldGolden(golden).hash.root();
    let folded = emptyState(drive_id);
    for (const event of events) {
      applyEvent(folded.state, event);
      folded.state.undo_log.forget();
      folded = await readSnapshot(drive_id, await writeSnapshot(folded));
    }
    expect(folded.hash.root()).toBe(hash);
  });

  it.each(streams)(
    '$name has hashes that fit, and types that are known',
    ({ golden, expected }) => {
      expect(Buffer.from(golden.events.at(-1)!.hash).toString('hex')).toBe(expected.chain_hash);
      expect(foldGolden(golden).state.unknown_events.size).toBe(0);
    },
  );

  it('hold every type of event that this release stores, sealed fields among them', () => {
    const types = new Set(streams.flatMap(({ golden }) => golden.events.map(({ type }) => type)));
    expect(eventTypes().filter((type) => !types.has(type))).toEqual([]);
    const opened = streams.flatMap(({ expected }) => Object.values(expected.opened));
    expect(opened).toEqual(expect.arrayContaining(['Mia Member', 'another', 'RedeemTokenID_12']));
  });
});
