/** Rights that an event store takes from a running process: what callers and operators are told, once. */
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { failureError } from '../../apps/api/drive/drive-api.js';
import { readiness } from '../../apps/api/system/readiness.js';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { reportOnce } from '../../apps/api/platform/logs/report-once.js';
import { EngineSpec, PEER } from '../../libs/engine/testing/engine.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { checkReads, reportingReads } from '../../libs/event-store/reads.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import type { EventStore } from '../../libs/event-store/port.js';
import {
  ADMIN_PASSWORD,
  DRIVE_PASSWORD,
  type ServerWithUsers,
  startWithUsers,
} from '../servers/kurrentdb/with-users.js';

const RIGHTS = { $r: 'drive', $w: 'drive', $d: '$admins', $mr: 'drive', $mw: '$admins' };
const DENIED = 'The event store denies this service the right';
const WORKS = { works: true, problem: null };

let users: ServerWithUsers;
let admin: KurrentDBClient;
let store: EventStore;
let spec: EngineSpec;
/** What is logged of failures beside appends. */
let lines: any[];

beforeEach(async () => {
  users = await startWithUsers();
  admin = KurrentDBClient.connectionString(users.url('admin', ADMIN_PASSWORD));
  await allow(RIGHTS);
  await allowAll('drive');
  store = await openKurrentEventStore({ url: users.url(), deadline_ms: 10_000 });
  lines = [];
  const logger = new JsonLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const report = reportOnce(logger, Date.now, { check: () => checkReads(store), interval_ms: 20 });
  const events = reportingReads(store, (error) => report('events not read', '', error));
  spec = new EngineSpec({ events, role: PEER });
  await spec.drives.start();
  await spec.spawn();
});
afterEach(async () => {
  await spec.drives.close();
  await store.close();
  await admin.dispose();
  await users.close();
});

async function allow(rights: Readonly<Record<string, string>>): Promise<void> {
  const data = { $userStreamAcl: rights };
  await admin.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data }));
}

async function allowAll(role: string): Promise<void> {
  const data = { $acl: { $r: ['$admins', role] } };
  await admin.appendToStream('$$$all', jsonEvent({ type: '$metadata', data }));
}

/** What a caller is answered, and everything that anybody was told of it. */
async function answer(asked: Promise<unknown>): Promise<object> {
  const error = await asked.then(
    () => new Error('answered'),
    (reason: unknown) => reason,
  );
  const { status, type, message, headers } = failureError(error);
  const all = JSON.stringify([
    message,
    lines,
    spec.notices,
    spec.reports.map((one) => String(one.error)),
  ]);
  expect(all).not.toContain(DRIVE_PASSWORD);
  expect(message).not.toContain('localhost');
  return { status, type, message, headers };
}

const unavailable = (told: string) => ({
  status: 503,
  type: 'store-unavailable',
  message: `${told}; nothing was stored.`,
  headers: { 'Retry-After': '1' },
});

it('tells once that the right to append is gone, until it is back', async () => {
  await allow({ ...RIGHTS, $w: '$admins' });
  const make = (nth: number) => spec.spawn(`DriveID_new${nth}`);
  for (const nth of [1, 2])
    expect(await answer(make(nth))).toEqual(unavailable(`${DENIED} to append events`));
  expect(spec.notices).toEqual([
    expect.stringMatching('^appends fail; .*denies the user drive the right to append.*grant'),
  ]);
  for (let seconds = 0; seconds < 3; seconds += 1, spec.now += 1_000)
    expect(await readiness(spec.drives)).toMatchObject({
      ...{ ready: false, stores_answer: true, appends_succeed: false },
      reads: WORKS,
      writes: { works: false, problem: `${DENIED} to append events.` },
    });
  expect([spec.notices.length, lines.length]).toEqual([1, 0]);
  await allow(RIGHTS);
  spec.now += 1_000;
  expect(await readiness(spec.drives)).toMatchObject({ ready: true, writes: WORKS, reads: WORKS });
  expect(spec.notices.slice(1)).toEqual([expect.stringMatching(/^appends succeed again/)]);
});

it.each([
  ['to read streams', () => allow({ ...RIGHTS, $r: '$admins' }), 'to read streams'],
  [
    'to read metadata',
    () => allow({ ...RIGHTS, $mr: '$admins' }),
    'to read the metadata of streams',
  ],
  ['to read $all', () => allowAll('nobody'), 'to read $all'],
])('tells once that the right %s is gone, until it is back', async (_, take, right) => {
  await take();
  const told = `${DENIED} ${right}`;
  for (let times = 0; times < 3; times += 1)
    expect(await readiness(spec.drives)).toMatchObject({
      ...{ ready: false, stores_answer: false },
      reads: { works: false, problem: `${told}.` },
      writes: WORKS,
    });
  const asked = right.endsWith('$all')
    ? spec.drives.events.lastPosition()
    : spec.spawn('DriveID_new');
  expect(await answer(asked)).toEqual(unavailable(told));
  expect(lines).toEqual([
    expect.objectContaining({
      what: 'a store refuses this service; background work waits until it accepts requests again',
      err: expect.objectContaining({
        message: expect.stringMatching(
          `denies the user drive the right .*${right.slice(-7).replace('$', '.')}`,
        ),
      }),
    }),
  ]);
  await allow(RIGHTS);
  await allowAll('drive');
  await eventually(() => lines.length > 1);
  expect(lines[1].message).toMatch(/^the store can be reached again/);
  expect(await readiness(spec.drives)).toMatchObject({ ready: true, reads: WORKS });
});

it('tells that the password was changed, and does not show it', async () => {
  await users.server.setPassword('drive', 'another');
  const told = 'The event store does not accept the user or the password of this service';
  expect(await answer(spec.drives.events.head('drive-x'))).toEqual(unavailable(told));
  expect(await readiness(spec.drives)).toMatchObject({
    ready: false,
    reads: { works: false, problem: `${told}.` },
    // Appends go on over the stream that was opened with the old one.
    writes: WORKS,
  });
});
