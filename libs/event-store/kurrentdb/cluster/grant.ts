import {
  AccessDeniedError,
  jsonEvent,
  type JSONType,
  type KurrentDBClient,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';

import { StreamDeleted } from '../../port.js';
import { type Credentials, readConnectionString } from './connection-string.js';
import { CONNECT_MS, explained, openClients } from './connect.js';
import { within } from './deadline.js';
import { LAST, Reader } from '../reader.js';
import { isAccepted, Refusals } from './refusals.js';
import { groupsWithMore, type RightChange, rightsFor } from './rights.js';

const SETTINGS = '$settings';
const ALL = '$$$all';
const DISPOSE_MS = 500;

/** The permissions cannot be granted; the message names the remedy. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

interface GrantRequest {
  /** Connection string; its credentials are ignored. */
  readonly url: string;
  /** Credentials of an administrator. */
  readonly admin: Credentials;
  /** Login of the service's user. */
  readonly user: string;
  /** True: write nothing. */
  readonly is_dry_run: boolean;
}

/** An event that grants permissions. */
interface GrantEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

export interface Granted {
  readonly hosts: string;
  readonly changes: readonly RightChange[];
  /** The events written, or those that would be. */
  readonly events: readonly GrantEvent[];
}

/**
 * Grants a user exactly the permissions that the service needs, and keeps existing ones.
 * @throws GrantRefused; UnusableConnectionString; EventStoreUnavailable
 */
export async function grantRights(request: GrantRequest): Promise<Granted> {
  const { url, admin } = request;
  const connection = readConnectionString(url, admin);
  const place = `the event store at ${connection.hosts}`;
  const { client, natives } = openClients(connection);
  try {
    if (!(await isAccepted(connection, admin)))
      throw new GrantRefused(
        `${place} does not accept the user ${admin.username} with this password`,
      );
    const reader = new Reader(natives, CONNECT_MS, () => {}, new Refusals(connection));
    return { hosts: connection.hosts, ...(await grant(reader, client, request)) };
  } catch (error) {
    if (error instanceof GrantRefused) throw error;
    if (isDenied(error))
      throw new GrantRefused(`the user ${admin.username} is not an administrator of ${place}`, {
        cause: error,
      });
    throw await explained(connection, error);
  } finally {
    await within(client.dispose(), DISPOSE_MS).catch(() => {});
  }
}

async function grant(
  reader: Reader,
  client: KurrentDBClient,
  { user, is_dry_run }: GrantRequest,
): Promise<Omit<Granted, 'hosts'>> {
  const groups = groupsOf(user, await lastOf(reader, `$user-${user}`));
  const settings = await lastOf(reader, SETTINGS);
  const all = await lastOf(reader, ALL);
  const planned = rightsFor(user, { settings: settings.data, all: all.data });
  const more = groupsWithMore(groups, planned.settings ?? settings.data);
  if (more.length > 0)
    throw new GrantRefused(
      `the user ${user} is in ${more.join(', ')}, which may delete streams or change metadata; take it out`,
    );
  const events: GrantEvent[] = [];
  for (const [stream, type, data, { revision }] of [
    [SETTINGS, 'update-default-acl', planned.settings, settings],
    [ALL, '$metadata', planned.all, all],
  ] as const) {
    if (data === null) continue;
    if (!is_dry_run) await write(client, stream, type, data, revision);
    events.push({ stream, type, data });
  }
  return { changes: planned.changes, events };
}

/** The last event of a stream, and its revision; null for a stream without events. */
interface Last {
  readonly data: Readonly<Record<string, unknown>>;
  readonly revision: bigint | null;
}

async function lastOf(reader: Reader, stream: string): Promise<Last> {
  const [last] = await reader.stream(stream, LAST, 'backward', 1).catch((error: unknown) => {
    if (error instanceof StreamDeleted) return [];
    throw error;
  });
  if (!last) return { data: {}, revision: null };
  try {
    const data = JSON.parse(Buffer.from(last.data).toString()) as Last['data'];
    return { data, revision: last.revision };
  } catch {
    throw new GrantRefused(`the last event of ${stream} is not JSON; repair it first`);
  }
}

function groupsOf(user: string, { data, revision }: Last): string[] {
  if (revision === null)
    throw new GrantRefused(`there is no user ${user}; an administrator must create it first`);
  const { groups } = data;
  return Array.isArray(groups) ? groups.map(String) : [];
}

/** Writes nothing after a concurrent change. */
async function write(
  client: KurrentDBClient,
  stream: string,
  type: string,
  data: object,
  revision: bigint | null,
): Promise<void> {
  const event = jsonEvent({ type, data: data as JSONType });
  // A deleted stream continues after its end.
  const streamState = revision ?? NO_STREAM;
  const appended = client.appendToStream(stream, event, { streamState, requiresLeader: true });
  await within(appended, CONNECT_MS).catch((error: unknown) => {
    if (!(error instanceof WrongExpectedVersionError)) throw error;
    throw new GrantRefused(`${stream} was changed meanwhile; run this again`, { cause: error });
  });
}

function isDenied(error: unknown): boolean {
  // The native reader has its own error classes.
  for (let at = error as Partial<Error> | undefined; at; at = at.cause as Partial<Error>)
    if (at.name === 'AccessDeniedError' || at instanceof AccessDeniedError) return true;
  return false;
}
