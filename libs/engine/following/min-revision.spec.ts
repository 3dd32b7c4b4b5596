import { ROLES } from '../drives/role.js';
import { jest } from '@jest/globals';
import { groupCommands } from '../../domain/groups/definitions.js';
import { OWNER } from '../../domain/testing/drive.js';
import type { Drive } from '../writer/drive.js';
import { reach, type ReachedStores } from './reach.js';
import { DRIVE_A, EngineSpec, PEER } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';

describe('a process that lags behind another on the same store', () => {
  let writer: EngineSpec;
  let reader: EngineSpec;
  let drive: Drive;

  beforeEach(async () => {
    writer = new EngineSpec();
    await writer.spawn();
    reader = writer.restarted();
    drive = await reader.drives.open(DRIVE_A);
  });

  it('shows what is stale without a revision, and never with one', async () => {
    const { CreateGroup, UpdateGroup } = groupCommands;
    const fresh = { group_id: 'GroupID_new-enemy', invite_id: 'GroupInviteID_new-enemy' };
    const names = () => reader.listedGroups();
    const seen = await names();
    // First the anomaly: Mallory is out, then a secret goes in; who still sees the old sees it wrong.
    await writer.run(CreateGroup, { name: 'No enemy yet', fresh });
    const last = await writer.run(UpdateGroup, { id: fresh.group_id, name: 'Enemy gone' });
    expect(await names()).toEqual(seen);
    expect(drive.state.groups.has(fresh.group_id)).toBe(false);
    // Then the guard: records and what decides about them are there at once.
    expect(await reach(reader.drives, drive, last.revision, 5_000)).toBe(true);
    expect(await names()).toContain('Enemy gone');
    expect(drive.head.revision).toBe(last.revision);
    expect(drive.state.groups.get(fresh.group_id)!.owner).toBe(OWNER);
  });

  it('holds however the two take turns', async () => {
    for (let round = 0; round < 40; round++) {
      const { revision } = await writer.note(round);
      if (round % 3 === 0) await Promise.all([writer.note('a'), writer.note('b')]);
      expect(await reach(reader.drives, drive, revision, 5_000)).toBe(true);
      expect(drive.head.revision).toBeGreaterThanOrEqual(revision);
      const own = await reader.note('mine');
      const its = await writer.drives.open(DRIVE_A);
      expect(await reach(writer.drives, its, own.revision, 5_000)).toBe(true);
    }
    expect(drive.folded.hash.root()).toBe((await reader.folded()).hash.root());
  });

  it('says no to a revision beyond the end of the stream, in the store and not in a cache', async () => {
    const { revision } = await writer.note();
    expect(await reach(reader.drives, drive, revision + 1, 5_000)).toBe(false);
    expect(await reach(reader.drives, drive, revision, 5_000)).toBe(true);
  });

  /** The reader's stores, which other processes write to as well. */
  function followed(): ReachedStores {
    const { events, read_model, catch_up } = reader.drives;
    return { events, read_model, catch_up, role: PEER };
  }

  it('does not deny what one server denies and another one has stored', async () => {
    const before = await writer.events.head(`drive-${DRIVE_A}`);
    const { revision } = await writer.note();
    // A server that led once, and does not know yet that another one does.
    const head = jest.spyOn(reader.events, 'head').mockResolvedValueOnce(before);
    head.mockResolvedValueOnce(before);
    expect(await reach(followed(), drive, revision, 5_000)).toBe(true);
    expect(head.mock.calls.length).toBeGreaterThan(2);
  });

  it('never denies a revision that it was told of, whatever a server says', async () => {
    const before = await writer.events.head(`drive-${DRIVE_A}`);
    const { revision } = await writer.note();
    const told = {
      ...followed(),
      role: ROLES.embedded,
      catch_up: { notedRevision: () => revision },
    };
    jest.spyOn(reader.events, 'head').mockResolvedValue(before);
    jest.spyOn(reader.events, 'readStream').mockResolvedValue([]);
    await expect(reach(told, drive, revision, 100)).rejects.toMatchObject({ reason: 'behind' });
  });

  it('says that it is behind when it may not wait until it is certain', async () => {
    const { revision } = await writer.note();
    await expect(reach(followed(), drive, revision + 1, 200)).rejects.toMatchObject({
      reason: 'behind',
    });
  });

  it('says no at once where nobody else writes', async () => {
    const alone = new EngineSpec();
    await alone.spawn();
    const its = await alone.drives.open(DRIVE_A);
    const head = jest.spyOn(alone.events, 'head');
    expect(await reach(alone.drives, its, its.head.revision + 1, 200)).toBe(false);
    expect(head).toHaveBeenCalledTimes(1);
  });

  it('gives up in time, and lets nobody see half of what it reads meanwhile', async () => {
    const { revision } = await writer.note();
    const gate = new Gate();
    reader.events.onRead(gate.hold);
    await expect(reach(reader.drives, drive, revision, 20)).rejects.toMatchObject({
      reason: 'behind',
    });
    expect(drive.is_durable).toBe(false);
    gate.open();
    await drive.durable();
    expect(drive.head.revision).toBe(revision);
  });

  it('tries again when reading on fails', async () => {
    const { revision } = await writer.note();
    reader.events.onRead(() => Promise.reject(new Error('connection lost')));
    expect(await reach(reader.drives, drive, revision, 5_000)).toBe(true);
  });
});
