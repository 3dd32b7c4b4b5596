import { groupCommands } from '../domain/groups/definitions.js';
import { OWNER } from '../domain/testing/drive.js';
import type { Drive } from './drive.js';
import { reach } from './reach.js';
import { DRIVE_A, EngineSpec } from './testing/engine.js';
import { Gate } from './testing/faulty-events.js';

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
    expect((await reader.read_model.checkpoint(DRIVE_A))!.revision).toBe(last.revision);
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

  it('gives up in time, and lets nobody see half of what it reads meanwhile', async () => {
    const { revision } = await writer.note();
    const gate = new Gate();
    reader.events.onFold(gate.hold);
    await expect(reach(reader.drives, drive, revision, 20)).rejects.toMatchObject({
      reason: 'behind',
    });
    expect(drive.is_settled).toBe(false);
    gate.open();
    await drive.settled();
    expect(drive.head.revision).toBe(revision);
  });

  it('tries again when reading on fails', async () => {
    const { revision } = await writer.note();
    reader.events.onFold(() => Promise.reject(new Error('connection lost')));
    expect(await reach(reader.drives, drive, revision, 5_000)).toBe(true);
  });
});
