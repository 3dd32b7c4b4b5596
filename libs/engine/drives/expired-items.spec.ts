import { event, type DomainEvent } from '../../domain/foundation/events.js';
import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { disk as lasting, diskMade, ROOT, TRASH } from '../../domain/permissions/testing/grants.js';
import { OWNER, SPEC_SETTINGS, T0 } from '../../domain/testing/drive.js';
import { EngineSpec } from '../testing/engine.js';
import { exportedParts, planExport } from '../transfer/export.js';
import { importStreams } from '../transfer/import.js';
import { ROLES } from './role.js';
import { ExpiredItems, MOST_DRIVES } from './expired-items.js';

/** Keeps nothing of what has expired, so that a sweep shows in what is left. */
const disk = diskMade({ autoexpire_ms: 1 });

/** Whatever is to have happened. */
const Happen: CommandDefinition<readonly DomainEvent[], null> = {
  name: 'Happen',
  decide: (_, events) => accept(['OWNER'], ...events),
  answer: () => null,
};

const folder = (folder_id: string, expires_at: number): DomainEvent =>
  event('FolderCreated', {
    folder_id,
    parent_folder_uuid: ROOT,
    name: folder_id,
    expires_at,
    disk_id: 'DiskID_1',
    has_sovereign_permissions: false,
    created_by: OWNER,
    label_ids: [],
    creator_permission_id: null,
    shortcut_to: null,
    notes: null,
    external_id: null,
    external_payload: null,
  });

describe('the sweep of what has expired', () => {
  let spec: EngineSpec;
  let failures: string[];

  const happen = (events: readonly DomainEvent[], drive_id: string) =>
    spec.run(Happen, events, { drive_id });
  const sweeper = (on: EngineSpec) =>
    new ExpiredItems({
      drives: on.drives,
      failed: (drive_id, error) => failures.push(`${drive_id} ${String(error)}`),
    });
  const spawnWith = async (drive_id: string, ...events: DomainEvent[]): Promise<void> => {
    await spec.spawn(drive_id);
    await happen([disk, ...events], drive_id);
  };
  const loaded = (on: EngineSpec): string[] =>
    [...on.drives.inMemory()].map(({ drive_id }) => drive_id).filter((id) => id !== 'factory');
  const foldersOf = async (drive_id: string): Promise<string[]> => {
    const { state } = await spec.folded(drive_id);
    return [...state.folders.ids()].filter((id) => id.startsWith('FolderID_x')).sort();
  };

  beforeEach(() => {
    spec = new EngineSpec();
    failures = [];
  });

  it('finds drives that are not in memory, and loads no others', async () => {
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50), folder('FolderID_x2', T0 + 90));
    await spawnWith('DriveID_2', folder('FolderID_x3', T0 + 60));
    await spawnWith('DriveID_3', folder('FolderID_x4', -1));
    // One that was begun once has noted what was there before.
    await sweeper(spec).sweep();
    const next = spec.restarted();
    const swept = sweeper(next);
    next.now = T0 + 49;
    await swept.sweep();
    expect(loaded(next)).toEqual([]);
    next.now = T0 + 50;
    await swept.sweep();
    expect(loaded(next)).toEqual(['DriveID_1']);
    expect(await foldersOf('DriveID_1')).toEqual(['FolderID_x2']);
    expect(await foldersOf('DriveID_2')).toEqual(['FolderID_x3']);
    next.now = T0 + 1000;
    await swept.sweep();
    expect(loaded(next).sort()).toEqual(['DriveID_1', 'DriveID_2']);
    for (const drive_id of ['DriveID_1', 'DriveID_2'])
      expect(await foldersOf(drive_id)).toEqual([]);
    expect(await next.side.expiries.due(Infinity, 9)).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('finds what was there before anything was noted', async () => {
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50), folder('FolderID_x2', T0 + 90));
    for (const due of await spec.side.expiries.due(Infinity, 9))
      await spec.side.expiries.advance(due, null);
    const next = spec.restarted();
    next.now = T0 + 50;
    await sweeper(next).sweep();
    expect(await foldersOf('DriveID_1')).toEqual(['FolderID_x2']);
    expect(await next.side.expiries.due(Infinity, 9)).toMatchObject([{ at_ms: T0 + 90 }]);
  });

  it('looks at so many drives in a round, and goes on behind them in the next', async () => {
    for (let nth = 0; nth < MOST_DRIVES + 1; nth++) await spec.spawn(`DriveID_${nth}`);
    await sweeper(spec).sweep();
    expect(await spec.side.expiries.due(Infinity, 999)).toHaveLength(1);
    const next = spec.restarted();
    await sweeper(next).sweep();
    expect(await spec.side.expiries.due(Infinity, 999)).toEqual([]);
    expect(loaded(next)).toHaveLength(1);
  });

  it('a drive that fails holds up no other, nor is it forgotten', async () => {
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50));
    await spawnWith('DriveID_2', folder('FolderID_x2', T0 + 60));
    spec.now = T0 + 100;
    const swept = sweeper(spec);
    spec.events.onAppend(() => Promise.reject(new Error('no room')));
    await swept.sweep();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain('DriveID_1');
    expect(await foldersOf('DriveID_2')).toEqual([]);
    await swept.sweep();
    expect(await foldersOf('DriveID_1')).toEqual([]);
  });

  it('leaves drives to the process that serves them', async () => {
    spec = new EngineSpec({ role: ROLES.worker });
    spec.drives.isAssigned = (drive_id) => drive_id === 'DriveID_2';
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50));
    await spawnWith('DriveID_2', folder('FolderID_x2', T0 + 50));
    spec.now = T0 + 50;
    await sweeper(spec).sweep();
    expect(await foldersOf('DriveID_1')).toEqual(['FolderID_x1']);
    expect(await foldersOf('DriveID_2')).toEqual([]);
  });

  it('does not forget a drive whose next item is announced and not stored yet', async () => {
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50));
    await happen([event('ItemsDeleted', { item_ids: ['FolderID_x1'] })], 'DriveID_1');
    spec.now = T0 + 50;
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    // Another process, which has noted what it is about to append.
    const other = await spec.beside();
    other.events.onAppend(async (store) => {
      asked.resolve();
      await held.promise;
      return store();
    });
    const late = other.run(Happen, [folder('FolderID_x2', T0 + 70)], { drive_id: 'DriveID_1' });
    await asked.promise;
    await sweeper(spec).sweep();
    held.resolve();
    await late;
    expect(await foldersOf('DriveID_1')).toEqual(['FolderID_x2']);
    spec.now = T0 + 70;
    await sweeper(spec.restarted()).sweep();
    expect(await foldersOf('DriveID_1')).toEqual([]);
    expect(failures).toEqual([]);
    await other.drives.close();
  });

  it('finds what came from another installation', async () => {
    await spawnWith('DriveID_1', folder('FolderID_x1', T0 + 50), folder('FolderID_x2', T0 + 90));
    const plan = await planExport(spec.events, { drive_ids: ['DriveID_1'] });
    const parts = () => exportedParts(spec.events, plan, { now: T0, erased: async () => {} });
    const target = new EngineSpec();
    await target.side.expiries.complete(SPEC_SETTINGS.trash_ms);
    for await (const { written } of importStreams({ drives: target.drives, parts }))
      expect(written).toBe(4);
    expect(await target.side.expiries.due(Infinity, 9)).toMatchObject([
      { drive_id: 'DriveID_1', at_ms: T0 + 50, revision: 3 },
    ]);
  });

  it('comes back for what is in the trash once that has been kept long enough', async () => {
    await spec.spawn('DriveID_1');
    await happen([lasting, folder('FolderID_x1', T0 + 50)], 'DriveID_1');
    await sweeper(spec).sweep();
    const next = spec.restarted();
    next.now = T0 + 50;
    await sweeper(next).sweep();
    // The next round finds nothing left, and when there will be.
    await sweeper(next).sweep();
    const { state } = await spec.folded('DriveID_1');
    expect(state.folders.get('FolderID_x1')!.parent_folder_uuid).toBe(TRASH);
    const gone_ms = T0 + 50 + SPEC_SETTINGS.trash_ms;
    expect(await next.side.expiries.due(Infinity, 9)).toMatchObject([{ at_ms: gone_ms }]);
    const later = next.restarted();
    later.now = gone_ms - 1;
    await sweeper(later).sweep();
    expect(loaded(later)).toEqual([]);
    later.now = gone_ms;
    await sweeper(later).sweep();
    await sweeper(later).sweep();
    expect(await foldersOf('DriveID_1')).toEqual([]);
    expect(await later.side.expiries.due(Infinity, 9)).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('leaves alone what no factory has named', async () => {
    const expiry = { drive_id: 'DriveID_lost', at_ms: 1, revision: 0 };
    const { expiries } = spec.side;
    await expiries.complete(SPEC_SETTINGS.trash_ms);
    await expiries.note([{ ...expiry, noted_ms: spec.now }]);
    await sweeper(spec).sweep();
    expect(await expiries.due(Infinity, 9)).toHaveLength(1);
    spec.now += 600_001;
    await sweeper(spec).sweep();
    expect(await expiries.due(Infinity, 9)).toEqual([]);
    expect(failures).toEqual([]);
  });
});
