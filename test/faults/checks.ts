import { setTimeout as after } from 'node:timers/promises';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import type { StoredEvent } from '../../libs/event-store/port.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import { FACTORY_ID, streamOf } from '../../libs/engine/fold/fold.js';
import { verifyDrive } from '../../libs/engine/verify/verifier.js';
import type { MongoReadModel } from '../../libs/read-model/mongodb/mongo-read-model.js';
import type { Answer, Client } from '../support/client.js';
import type { Command, Ledger } from './commands.js';

const POLL_MS = 25;
const PAGE = 1000;

/** Waits until the documents of drives stand at revisions; false if they do not in time. */
export async function shown(
  model: MongoReadModel,
  revisions: ReadonlyMap<string, number>,
  within_ms: number,
): Promise<boolean> {
  const deadline = performance.now() + within_ms;
  for (const [drive_id, revision] of revisions)
    for (;;) {
      const checkpoint = await model.checkpoint(drive_id);
      if (checkpoint && checkpoint.revision >= revision) break;
      if (performance.now() > deadline) return false;
      await after(POLL_MS);
    }
  return true;
}

/** Resolves once the store can be read, after the last fault. */
export async function reached({ events }: Drives, within_ms = 60_000): Promise<void> {
  const deadline = performance.now() + within_ms;
  for (;;)
    try {
      await events.lastPosition();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await after(POLL_MS);
    }
}

/** All events of the store by the request they came from, in the order in which they were stored. */
export async function eventsByRequest({
  events,
}: Drives): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const by_request = new Map<string, StoredEvent[]>();
  for (let position = -1; ;) {
    const page = await events.readAll(position, PAGE);
    if (page.length === 0) return by_request;
    for (const event of page) {
      const { correlation_id } = JSON.parse(event.metadata) as { correlation_id: string };
      by_request.set(correlation_id, [...(by_request.get(correlation_id) ?? []), event]);
    }
    position = page.at(-1)!.position;
  }
}

const WHOLE = {
  create: ['GroupCreated'],
  update: ['GroupUpdated'],
  delete: ['GroupDeleted'],
  quickstart: ['OrganizationSpawned', 'OrganizationActivated', 'ApiKeyCreated', 'DriveSpawned'],
} as const;

/** What is wrong with the events of commands: one that is not there, is there twice, or in part. */
export function complaints(
  commands: readonly Command[],
  by_request: ReadonlyMap<string, readonly StoredEvent[]>,
): string[] {
  const found: string[] = [];
  for (const { id, kind, drive_id, revision, acknowledged_ms, tries } of commands) {
    const events = by_request.get(id) ?? [];
    const types = events.map(({ type }) => type).join();
    const whole = WHOLE[kind].join();
    const what = `${kind} ${id} of ${drive_id} (${tries} tries)`;
    if (acknowledged_ms > 0) {
      if (types !== whole) found.push(`${what}: acknowledged, stored is '${types}'`);
      else if (kind !== 'quickstart' && events[0]!.revision !== revision)
        found.push(`${what}: answered revision ${revision}, is ${events[0]!.revision}`);
      continue;
    }
    // A crash between its two streams leaves an organization that no factory names.
    const possible = [
      '',
      whole,
      ...(kind === 'quickstart' ? [WHOLE[kind].slice(0, -1).join()] : []),
    ];
    if (!possible.includes(types)) found.push(`${what}: half a command: '${types}'`);
    if (kind !== 'quickstart') found.push(`${what}: never acknowledged`);
  }
  return found;
}

/** Heads of all drives that the factory names, and of the factory. */
export async function headsOf(drives: Drives): Promise<ReadonlyMap<string, number>> {
  const heads = new Map<string, number>();
  for (const drive_id of [FACTORY_ID, ...(await drives.all())]) {
    const head = await drives.events.head(streamOf(drive_id));
    heads.set(drive_id, head?.revision ?? -1);
  }
  return heads;
}

/** Compares every document of every drive with the fold of its events, hashes checked, in this process. */
export async function drift(drives: Drives, drive_ids: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const drive_id of drive_ids) {
    const drive = await drives.open(drive_id);
    const { valid, reason } = await verifyDrive(drives, drive, Object.keys(READ_SCHEMA));
    if (!valid) found.push(`${drive_id}: ${reason}`);
  }
  return found;
}

/** What replicas say of an organization: their lists, `verify`, and the state's hash as they have it and by replay. */
export async function replicas(
  drives: Drives,
  ledger: Ledger,
  drive_id: string,
  clients: readonly Client[],
): Promise<string[]> {
  const found: string[] = [];
  const drive = await drives.open(drive_id);
  const { revision } = drive.head;
  const expected = drive.folded.hash.root();
  const groups = ledger.groups.get(drive_id) ?? new Map<string, string>();
  const at = { 'Min-Drive-Revision': String(revision) };
  for (const [nth, client] of clients.entries()) {
    const say = (what: string): unknown => found.push(`replica ${nth}, ${drive_id}: ${what}`);
    const listed = await groupsOf(client, at);
    for (const [id, name] of groups)
      if (listed.get(id)?.join() !== name)
        say(`group ${id} must be listed as '${name}', is '${listed.get(id)?.join()}'`);
    // The one that every organization begins with is nobody's.
    if (listed.size !== groups.size + 1) say(`${listed.size} groups, expected ${groups.size + 1}`);
    for (const verify of [false, true]) {
      const { status, data } = await client.post('/organization/replay', { verify }, at);
      if (status !== 200 || data.state_hash !== expected)
        say(`replay (verify: ${verify}) answers ${status}, ${data?.state_hash} for ${expected}`);
    }
    const { status, data, body } = await client.post('/organization/verify', {}, at);
    if (status !== 200 || data.valid !== true || data.revision !== revision)
      say(`verify answers ${status}: ${JSON.stringify(data ?? body)}`);
  }
  return found;
}

/** Names by id, as often as the list shows them. */
async function groupsOf(
  client: Client,
  headers: Record<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>();
  for (let cursor: string | null = null; ;) {
    const answer: Answer = await client.post(
      '/groups/list',
      { page_size: 100, ...(cursor && { cursor_down: cursor }) },
      headers,
    );
    if (answer.status !== 200) throw new Error(`groups/list: ${JSON.stringify(answer.body)}`);
    for (const { id, name } of answer.data.items)
      names.set(id, [...(names.get(id) ?? []), name as string]);
    cursor = answer.data.cursor_down ?? null;
    if (!cursor) return names;
  }
}
