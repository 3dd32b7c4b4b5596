import { createHash } from 'node:crypto';
import { Sweeps } from '../../../libs/application/sweeps.js';
import { compareAll } from './questions.js';
import { Random } from './random.js';
import { Requests } from './requests.js';
import type { Session } from './session.js';
import { type Caller, type Item, TYPES } from './tree.js';

/** Random steps of a session; each has random numbers of its own, so that a sequence can lose others. */

const DAY_MS = 86_400_000;

export async function runStep(session: Session, seed: number): Promise<void> {
  const random = new Random(seed);
  session.setClock(session.clock.now + random.pick([0, 0, 0, 1]));
  const step = random.weighted([
    [80, act],
    [5, grant],
    [3, revoke],
    [4, passTime],
    [2, changeDisk],
    [3, changeLabels],
    [0.4, replaceDisk],
    [3, putContent],
  ]);
  await step(session, random);
  await session.compareItems();
  if (random.chance(0.15)) await compareAll(session, random);
}

/** A tree to begin with. */
export async function plantTree(session: Session, seed: number): Promise<void> {
  const random = new Random(seed);
  const requests = new Requests(session.tree, random, session.freshId);
  for (let count = 0; count < 20; count++) await session.act('owner', [requests.creation()], false);
  await session.compareItems();
}

async function act(session: Session, random: Random): Promise<void> {
  const requests = new Requests(session.tree, random, session.freshId);
  const caller: Caller = random.chance(0.6) ? 'owner' : 'member';
  const count = random.chance(0.75) ? 1 : 2 + random.below(3);
  const actions = Array.from({ length: count }, () => requests.action(count === 1));
  await session.act(caller, actions, random.chance(0.25));
}

async function grant(session: Session, random: Random): Promise<void> {
  const { tree } = session;
  const item: Item = random.pick(tree.state.items.filter((each) => tree.isPresent(each)));
  const granted_to = random.pick(['member', 'member', 'group', 'PUBLIC'] as const);
  const types = ['VIEW', ...TYPES.slice(1).filter(() => random.chance(0.3))];
  const inheritable = random.chance(0.6);
  const group = tree.state.group_id;
  const ids = { member: tree.users.member, group, PUBLIC: 'PUBLIC' };
  const body = { resource_id: item.id, granted_to: ids[granted_to], permission_types: types };
  session.log.push(`grant ${JSON.stringify({ ...body, inheritable })}`);
  const answer = await session.org.admin.post('/permissions/directory/create', {
    ...body,
    inheritable,
  });
  session.expect({ status: 200 }, answer);
  tree.state.grants.push({ id: answer.data.id, item, granted_to, types, inheritable });
}

async function revoke(session: Session, random: Random): Promise<void> {
  const { state } = session.tree;
  const chosen = random.pick(
    state.grants.filter((each) => each.id !== '?' && session.tree.isPresent(each.item)),
  );
  if (!chosen) return;
  session.log.push(`revoke ${chosen.id} on ${chosen.item.id}`);
  const body = { permission_id: chosen.id };
  session.expect(
    { status: 200 },
    await session.org.admin.post('/permissions/directory/delete', body),
  );
  state.grants = state.grants.filter((each) => each !== chosen);
}

/** Jumps past expiries; sweeps what has expired and what has lain in the trash for too long. */
async function passTime(session: Session, random: Random): Promise<void> {
  const { tree, clock } = session;
  const times = tree.state.items
    .map(({ expires_at }) => expires_at)
    .filter((time) => time > clock.now);
  const later =
    times.length > 0 && random.chance(0.7)
      ? random.pick(times) - random.below(2)
      : clock.now + random.pick([1000, 60_000, DAY_MS, 31 * DAY_MS]);
  session.setClock(Math.max(later, clock.now));
  session.log.push(`clock ${clock.now}`);
  if (random.chance(0.5)) return;
  session.log.push('sweep');
  await session.service.server.app.get(Sweeps).expired_items.sweep();
  await session.learnSweep();
}

async function changeDisk(session: Session, random: Random): Promise<void> {
  const disk = random.pick(session.tree.state.disks);
  const change = random.pick([
    { name: `Disk ${random.below(9)}` },
    { autoexpire_ms: random.pick([null, 1000, 3_600_000]) },
  ]);
  session.log.push(`disk ${disk.id} ${JSON.stringify(change)}`);
  const answer = await session.org.admin.post('/disks/update', { id: disk.id, ...change });
  session.expect({ status: 200, data: { id: disk.id, ...change } }, answer);
  Object.assign(disk, change);
}

/** disks.md, delete: "disk, all its folders, files and file versions, all directory grants on them removed". */
async function replaceDisk(session: Session, random: Random): Promise<void> {
  const { state } = session.tree;
  const disk = random.pick(state.disks);
  session.log.push(`delete and make disk ${disk.id}`);
  const answer = await session.org.admin.post('/disks/delete', { id: disk.id });
  session.expect({ status: 200, data: { id: disk.id, deleted: true } }, answer);
  const gone = state.items.filter((item) => item.disk === disk);
  for (const { kind, id } of gone) await session.expectGone(kind, id);
  session.tree.remove(gone);
  state.disks = state.disks.filter((each) => each !== disk);
  await session.makeDisk(disk.type, disk.autoexpire_ms);
}

/** content.md 2, put: "EDIT on the file; makes a new version if the current one is complete". */
async function putContent(session: Session, random: Random): Promise<void> {
  const { tree } = session;
  const files = new Requests(tree, random, session.freshId)
    .live('file')
    .filter((item) => item.disk.type === 'LOCAL_SSD' && !item.raw_url);
  const file = random.pick(files);
  if (!file) return;
  const caller: Caller = random.chance(0.6) ? 'owner' : 'member';
  const text = 'x'.repeat(1 + random.below(50));
  session.log.push(`${caller} put ${file.id} ${text.length}`);
  const media_type = 'text/plain';
  const headers = { 'content-type': media_type };
  const path = `/directory/content/${file.id}`;
  const answer = await session.client(caller).send('PUT', path, text, headers);
  const may = tree.may(caller, 'EDIT', file);
  session.expect({ status: may ? 200 : 403 }, answer, `${caller} put ${file.id}`);
  if (!may) return;
  const user = tree.users[caller];
  const sha256 = createHash('sha256').update(text).digest('hex');
  const content = { size: text.length, sha256, media_type };
  const made = { created_by: user, created_at: tree.now, id: '?' };
  // directory.md 4: a file that was marked as complete without bytes is complete too. content.md 1: "a new version never
  // overwrites an old one", whatever status a client gave to one that has bytes.
  const is_complete = file.upload_status === 'COMPLETED' || file.versions.at(-1)!.sha256 !== null;
  if (is_complete) file.versions.push({ ...made, ...content });
  else Object.assign(file.versions.at(-1)!, content);
  if (is_complete && file.disk.autoexpire_ms && file.expires_at > 0)
    file.expires_at = Math.max(file.expires_at, tree.now + file.disk.autoexpire_ms);
  file.upload_status = 'COMPLETED';
  Object.assign(file, { updated_by: user, updated_at: tree.now, is_touched: false });
}

async function changeLabels(session: Session, random: Random): Promise<void> {
  const { org, tree } = session;
  const label = random.pick(tree.state.labels);
  const item = random.pick(tree.state.items.filter((each) => tree.isPresent(each) && each.parent));
  if (random.chance(0.6) && item) {
    const add = random.chance(0.7);
    session.log.push(`pin ${label.value} ${item.id} ${add}`);
    const body = { label_id: label.id, resource_id: item.id, add };
    session.expect(
      { status: 200, data: { success: true } },
      await org.admin.post('/labels/pin', body),
    );
    const others = item.labels.filter((each) => each !== label);
    item.labels = add ? [...others, label] : others;
    tree.touch(item);
    return;
  }
  // extras.md 2: "A new value shows on all pinned records at once".
  const value = label.value.endsWith('x') ? label.value.slice(0, -1) : `${label.value}x`;
  session.log.push(`label ${label.value} becomes ${value}`);
  session.expect({ status: 200 }, await org.admin.post('/labels/update', { id: label.id, value }));
  label.value = value;
}
