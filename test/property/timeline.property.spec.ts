import * as fc from 'fast-check';
import {
  foldedIntervals,
  followedIntervals,
  type TimelineSource,
} from '../../libs/engine/past/held-intervals.js';
import { Access } from '../../libs/domain/access/access.js';
import { DecidingRecords } from '../../libs/domain/access-questions/deciding-records.js';
import { Identities } from '../../libs/domain/access-questions/identity.js';
import { pathsFor } from '../../libs/domain/access-questions/rights.js';
import { Timeline } from '../../libs/domain/access-questions/timeline.js';
import { RECORD_KINDS } from '../../libs/domain/drive/record-kinds.js';
import type { DriveState } from '../../libs/domain/foundation/state.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive } from './support.js';

const MOST_PAIRS = 60;

/** Timelines that followed chosen records and had periods, periods that ended, and timelines of copies. */
const met = { held: 0, ended: 0, refused: 0 };

/** Live and former ids of persons and groups. */
function granteesOf(state: DriveState): string[] {
  const { contacts, groups, superswaps } = state;
  const former = [...superswaps.values()].map(({ old_user_id }) => old_user_id);
  return [
    ...[...contacts.ids()].slice(0, 8),
    ...former,
    ...[...groups.ids()].slice(0, 3),
    'PUBLIC',
  ];
}

function resourcesOf(state: DriveState): string[] {
  const { folders, files, groups, contacts, disks, invites, system_permissions } = state;
  const tables = [folders, files, groups, contacts, disks, invites, system_permissions];
  return [...tables.flatMap((table) => [...table.ids()].slice(-4)), ...RECORD_KINDS.tables];
}

it('the periods of a permission follow from the records that decide, and their events', async () => {
  await check(
    fc.asyncProperty(manySteps, fc.nat(0xffff), async (steps, first) => {
      const random = await RandomDrive.start({ snapshot_every_events: 30 });
      const drives: Drives = random.spec.drives;
      // Resources of an earlier point too, which may be gone.
      await random.run(steps.slice(0, steps.length / 2));
      const gone = resourcesOf((await random.drive()).state);
      await random.run(steps.slice(steps.length / 2));
      const { head, state } = await random.drive();
      const { revision } = head;
      const now = random.spec.now;
      const owner = new Access(state, state.organization.owner_id, now);
      const identities = new Identities(state);
      const pairs = granteesOf(state).flatMap((who) =>
        [...new Set([...gone, ...resourcesOf(state)])].map((resource) => [who, resource] as const),
      );
      for (let nth = 0; nth < MOST_PAIRS; nth++) {
        const [who, resource] = pairs[(first + nth * 37) % pairs.length]!;
        const newTimeline = () => new Timeline(who, resource, identities, pathsFor(owner));
        const source: TimelineSource = { drives, drive_id: DRIVE_A, revision, now, newTimeline };
        const deciding = new DecidingRecords(state, who, resource, identities);
        const expected = await foldedIntervals(source);
        const followed = await followedIntervals(source, deciding);
        expect([who, resource, followed ?? expected]).toEqual([who, resource, expected]);
        if (!followed) met.refused++;
        else if (expected.length > 0) met.held++;
        met.ended += expected.filter(({ to_revision }) => to_revision !== -1).length;
      }
    }),
    'timeline',
  );
  expect(met.held).toBeGreaterThan(10);
  expect(met.ended).toBeGreaterThan(10);
  expect(met.refused).toBeLessThan(met.held);
});
