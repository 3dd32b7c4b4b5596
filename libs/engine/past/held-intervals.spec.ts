import { Access } from '../../domain/access/access.js';
import { DecidingRecords } from '../../domain/access-questions/deciding-records.js';
import { Identities } from '../../domain/access-questions/identity.js';
import { pathsFor } from '../../domain/access-questions/rights.js';
import { Timeline } from '../../domain/access-questions/timeline.js';
import { AllRecordsNeeded } from '../../domain/kernel/partial-table.js';
import { permissionCommands } from '../../domain/permissions/definitions.js';
import { OWNER, T0 } from '../../domain/testing/drive.js';
import { ChosenFolds } from './chosen-folds.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { foldedIntervals, followedIntervals, type TimelineSource } from './held-intervals.js';

const BOB = 'UserID_bob';
const BOBS = 'SystemPermissionID_bobs';
const TABLE = 'TABLE_CONTACTS';

describe('the periods of a permission with a window', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
  });

  const grant = async (begin_date_ms: number, expiry_date_ms: number) => {
    const code = { code: '', code_digest: '' };
    const outcome = await spec.run(permissionCommands.CreateSystemPermission, {
      ...{ resource_id: TABLE, granted_to: BOB, permission_types: ['VIEW'] },
      ...{ begin_date_ms, expiry_date_ms },
      fresh: { permission_id: BOBS, placeholder_id: '', ...code },
    });
    expect(outcome).not.toHaveProperty('refusal');
  };
  const noteAt = async (...times: number[]) => {
    for (const time of times) {
      spec.now = T0 + time;
      await spec.note(time);
    }
  };
  const asked = async (who = BOB) => {
    const { drives, now } = spec;
    const { head, state } = await drives.open(DRIVE_A);
    const { revision } = head;
    const identities = new Identities(state);
    const show = pathsFor(new Access(state, OWNER, now));
    const newTimeline = () => new Timeline(who, TABLE, identities, show);
    const source: TimelineSource = { drives, drive_id: DRIVE_A, revision, now, newTimeline };
    const deciding = new DecidingRecords(state, who, TABLE, identities);
    return { source, deciding, indexed: await drives.indexer.upTo(DRIVE_A, revision) };
  };
  const times = async () => {
    const { source, deciding } = await asked();
    const followed = await followedIntervals(source, deciding);
    expect(followed).toEqual(await foldedIntervals(source));
    return followed!.map(({ from_ms, from_revision, to_ms, to_revision }) => [
      [from_ms - T0, from_revision],
      [to_revision === -1 ? null : to_ms - T0, to_revision],
    ]);
  };

  it('begin and end at the revision of that time, between events that do not matter', async () => {
    await grant(T0 + 100, T0 + 200); // revision 1
    await noteAt(50, 150, 250, 300);
    expect(await times()).toEqual([
      [
        [100, 2],
        [200, 3],
      ],
    ]);
  });

  it('begin and end at the first event of that very time', async () => {
    await grant(T0 + 100, T0 + 200);
    await noteAt(100, 100, 200, 200, 300);
    expect(await times()).toEqual([
      [
        [100, 2],
        [200, 4],
      ],
    ]);
  });

  it('begin and end after the last event', async () => {
    await grant(T0 + 100, T0 + 200);
    await noteAt(50);
    spec.now = T0 + 150;
    expect(await times()).toEqual([
      [
        [100, 2],
        [null, -1],
      ],
    ]);
    spec.now = T0 + 200;
    expect(await times()).toEqual([
      [
        [100, 2],
        [200, 2],
      ],
    ]);
  });

  it('take the events of the records that decide, and no others', async () => {
    await grant(0, -1);
    await noteAt(...Array.from({ length: 50 }, (_, nth) => nth));
    const { source, deciding } = await asked();
    const read: number[] = [];
    const readStream = spec.events.readStream.bind(spec.events);
    spec.events.readStream = (...of) => (read.push(of[1]), readStream(...of));
    expect(await followedIntervals(source, deciding)).toHaveLength(1);
    expect([...new Set(read)]).toEqual([0]);
  });

  it('are folded from the whole stream if too many events would be applied', async () => {
    await grant(0, -1);
    const { deciding, indexed } = await asked();
    const folds = new ChosenFolds(spec.drives, DRIVE_A, indexed, 1);
    const steps = { coming: async () => {}, applied: () => {} };
    await expect(folds.fold(deciding, steps)).rejects.toThrow(AllRecordsNeeded);
  });

  it('are folded from the whole stream if the events are large', async () => {
    await grant(0, -1);
    const note = 'x'.repeat(400_000);
    for (let nth = 0; nth < 45; nth++)
      await spec.run(permissionCommands.UpdateSystemPermission, { id: BOBS, note: note + nth });
    expect((await spec.drives.open(DRIVE_A)).head.revision).toBe(46);
    const { source, deciding } = await asked();
    expect(await followedIntervals(source, deciding)).toBeNull();
    expect(await foldedIntervals(source)).toHaveLength(1);
  });
});
