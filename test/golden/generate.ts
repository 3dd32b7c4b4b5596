import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVE_KEY_ID } from '../../libs/domain/kernel/sealed.js';
import { FACTORY_ID, streamOf } from '../../libs/engine/fold/fold.js';
import { COMMAND_NAMES } from '../../libs/domain/drive/families.js';
import { content } from './commands-of-content.js';
import { directory, partners } from './commands-of-directory.js';
import { factory, organization, spawning } from './commands-of-organization.js';
import { people } from './commands-of-people.js';
import { disks, permissions, things } from './commands-of-things.js';
import { fixedKey, GIFT_DRIVE, GOLDEN_DRIVE, GoldenRun, type Steps, SUBJECTS } from './golden-run.js';
import { expectedOf, foldGolden, type Golden } from './golden.js';

/** Steps of the commands of all listed families, in order; does not compile while one is missing. */
const STEPS: Required<Steps> = {
  ...spawning,
  ...people,
  ...disks,
  ...permissions,
  ...things,
  ...directory,
  ...partners,
  ...content,
  ...organization,
  ...factory,
};

/**
 * Runs every command of this release once and writes what was stored, with its keys and what it folds
 * to, as a new folder. A folder that exists is never touched: stored events must fold for ever.
 */
export async function generateGolden(folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} exists; golden files are never edited`);
  const golden_run = new GoldenRun();
  const { spec } = golden_run;
  const key_ids = [DRIVE_KEY_ID, ...SUBJECTS];
  const keys = new Map(key_ids.map((key_id) => [key_id, fixedKey(key_id)]));
  const factory_keys = new Map([[DRIVE_KEY_ID, fixedKey('factory')]]);
  const gift_keys = new Map(
    [DRIVE_KEY_ID, 'subject-owner'].map((key_id) => [key_id, fixedKey(`gift ${key_id}`)]),
  );
  const streams = new Map<string, ReadonlyMap<string, Uint8Array>>([
    [GOLDEN_DRIVE, keys],
    [GIFT_DRIVE, gift_keys],
    [FACTORY_ID, factory_keys],
  ]);
  for (const [drive_id, held] of streams) await spec.side.keys.put(drive_id, held);
  for (const step of Object.values(STEPS)) await step(golden_run);

  const unused = new Set(COMMAND_NAMES);
  mkdirSync(folder, { recursive: true });
  for (const [drive_id, held] of streams) {
    const stored = await spec.events.readStream(streamOf(drive_id), 0, 'forward', 1000);
    for (const { metadata } of stored)
      unused.delete((JSON.parse(metadata) as { command: string }).command);
    const golden: Golden = {
      drive_id,
      keys: held,
      events: stored.map(({ position: _, stream: __, ...event }) => event),
    };
    const lines = golden.events.map(({ hash, ...event }) =>
      JSON.stringify({ ...event, hash: Buffer.from(hash).toString('hex') }),
    );
    const expected = expectedOf(foldGolden(golden), golden);
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, `${drive_id}.${name}`), `${text}\n`);
    write('ndjson', lines.join('\n'));
    write('expected.json', JSON.stringify(expected, null, 2));
    write(
      'keys.json',
      JSON.stringify(
        Object.fromEntries(
          [...golden.keys].map(([id, key]) => [id, Buffer.from(key).toString('hex')]),
        ),
        null,
        2,
      ),
    );
  }
  if (unused.size > 0) throw new Error(`no event of ${[...unused].join(', ')} was stored`);
}
