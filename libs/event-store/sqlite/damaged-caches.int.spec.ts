import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { indexText } from '../event-index.js';
import { StoreUnusable } from '../port.js';
import { damagePage } from './damaged-page.contract.js';
import { openSqliteStores, type SqliteStores } from './index.js';
import { MASTER_KEY, removeFolder, temporaryFolder } from './temporary-folder.contract.js';

const DRIVE = 'a';
const HASH = new Uint8Array(32);
const at = (nth: number) => ({ drive_id: `drive-${nth}`, at_ms: nth, revision: 0, noted_ms: 0 });
const tile = (index: number) => ({
  ...{ drive_id: DRIVE, level: 0, index, revision: 0, event_hash: HASH },
  hashes: new Uint8Array(8_000),
});
const snapshot = (revision: number) => ({
  ...{ drive_id: DRIVE, revision, state_version: 'v1', event_hash: HASH },
  body: new Uint8Array(20_000),
});
const everything = { from: 0, to: Infinity };

type Side = SqliteStores['side'];

describe('a cache in which a page is damaged', () => {
  let data_dir: string;
  const opened: SqliteStores[] = [];
  const open = (read_only = false): Side => {
    const stores = openSqliteStores({ data_dir, master_key: MASTER_KEY, read_only });
    opened.push(stores);
    return stores.side;
  };
  const close = async (): Promise<void> => {
    for (const stores of opened.splice(0)) await stores.close();
  };
  const path = (file: string): string => join(data_dir, file);
  /** Every page but the first, which opening the file reads. */
  const damage = (file: string): void => {
    const page_bytes = 4096;
    for (let page = statSync(path(file)).size / page_bytes - 1; page > 0; page--)
      damagePage(path(file), page);
  };
  const marks = (): string[] => readdirSync(data_dir).filter((name) => name.endsWith('.damaged'));

  beforeEach(async () => {
    data_dir = join(temporaryFolder(), 'data');
    const side = open();
    const reason = (nth: number) => JSON.stringify({ reason: `reason ${nth}` });
    const events = Array.from({ length: 2_000 }, (_, revision) => {
      return { revision, type: 'T', metadata: reason(revision), resource_ids: [`id-${revision}`] };
    });
    await side.index.append(DRIVE, indexText(events), { revision: 1_999, event_hash: HASH });
    await side.tiles.put(Array.from({ length: 20 }, (_, nth) => tile(nth)));
    for (let revision = 0; revision < 5; revision++) await side.snapshots.put(snapshot(revision));
    await side.expiries.note(Array.from({ length: 1_000 }, (_, nth) => at(nth)));
    for (let nth = 0; nth < 500; nth++) await side.nonces.use(`nonce-${nth}`, 9e15, 0);
    await close();
  });
  afterEach(async () => {
    await close();
    removeFolder(join(data_dir, '..'));
  });

  it.each<[string, (side: Side) => Promise<unknown>, unknown]>([
    ['index.db', ({ index }) => index.find(DRIVE, {}, everything, 'ASC', 1), []],
    ['index.db', ({ index }) => index.position(DRIVE), null],
    ['index.db', ({ index }) => index.drop(DRIVE), undefined],
    ['tiles.db', ({ tiles }) => tiles.last(DRIVE, 0), null],
    ['tiles.db', ({ tiles }) => tiles.put([tile(30)]), undefined],
    ['snapshots.db', ({ snapshots }) => snapshots.put(snapshot(9)), undefined],
    ['expiries.db', ({ expiries }) => expiries.due(9, 9), []],
    ['expiries.db', ({ expiries }) => expiries.note([at(0)]), undefined],
    ['nonces.db', ({ nonces }) => nonces.use('nonce-0', 9e15, 0), true],
  ])('%s fails one operation, and then begins anew', async (file, operation, of_new) => {
    damage(file);
    const side = open();
    const failing = operation(side);
    await expect(failing).rejects.toThrow(StoreUnusable);
    await expect(failing).rejects.toThrow(`${path(file)} is damaged`);
    expect(marks()).toEqual([`${file}.damaged`]);
    await expect(operation(side)).resolves.toEqual(of_new);
    expect(marks()).toEqual([]);
    await close();
    expect(readdirSync(data_dir).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  it('keeps what is written to the new file', async () => {
    damage('tiles.db');
    const { tiles } = open();
    await expect(tiles.last(DRIVE, 0)).rejects.toThrow(StoreUnusable);
    await Promise.all([tiles.put([tile(1)]), tiles.put([tile(2)]), tiles.last(DRIVE, 0)]);
    await close();
    expect(await open().tiles.last(DRIVE, 0)).toEqual(tile(2));
  });

  it('has no snapshots, so that drives load without them', async () => {
    damage('snapshots.db');
    const { snapshots } = open();
    expect(await snapshots.latest(DRIVE, 'v1', 9)).toBeNull();
    expect(await snapshots.list(DRIVE)).toEqual([]);
    await snapshots.put(snapshot(7));
    expect(await snapshots.latest(DRIVE, 'v1', 9)).toEqual(snapshot(7));
  });

  it('is marked by a reader, and replaced when it is opened for writing', async () => {
    damage('index.db');
    const reader = open(true);
    await expect(reader.index.position(DRIVE)).rejects.toThrow(StoreUnusable);
    expect(await reader.index.position(DRIVE)).toBeNull();
    await close();
    expect(marks()).toEqual(['index.db.damaged']);
    const writer = open();
    expect(marks()).toEqual([]);
    const later = open(true);
    await writer.index.append(
      DRIVE,
      indexText([{ revision: 0, type: 'T', metadata: '{}', resource_ids: [] }]),
      { revision: 0, event_hash: HASH },
    );
    expect(await later.index.position(DRIVE)).toMatchObject({ revision: 0 });
  });

  it('is left by readers once the writer has replaced it, though they met no damage', async () => {
    const reader = open(true);
    expect(await reader.index.position(DRIVE)).toMatchObject({ revision: 1_999 });
    damage('index.db');
    const { index } = open();
    await expect(index.position(DRIVE)).rejects.toThrow(StoreUnusable);
    const first = indexText([{ revision: 0, type: 'T', metadata: '{}', resource_ids: [] }]);
    await index.append(DRIVE, first, { revision: 0, event_hash: HASH });
    expect(await reader.index.position(DRIVE)).toMatchObject({ revision: 0 });
    expect([marks(), index.losses, reader.index.losses]).toEqual([[], 1, 1]);
  });

  it('says how often it was lost', async () => {
    damage('index.db');
    const { index } = open();
    expect(index.losses).toBe(0);
    await expect(index.position(DRIVE)).rejects.toThrow(StoreUnusable);
    expect([await index.position(DRIVE), index.losses]).toEqual([null, 1]);
  });
});
