import {
  AccessDeniedError,
  type JSONType,
  type KurrentDBClient,
  NO_STREAM,
  WrongExpectedVersionError,
  jsonEvent,
} from '@kurrent/kurrentdb-client';

import { StreamDeleted } from '../../port.js';
import { LAST, Reader } from '../reader.js';
import { CONNECT_MS, explained, openClients } from './connect.js';
import { type Credentials, readConnectionString } from './connection-string.js';
import { within } from './deadline.js';
import { Refusals, isAccepted } from './refusals.js';

/** The permissions that the service needs in the event store, merged into the existing ones. */

/** Users and groups by permission, as EventStoreDB stores them: a single one without a list. */
type Acl = Readonly<Record<string, unknown>>;

/** The stored permissions; empty if none are set. */
interface SetRights {
  /** Last event of `$settings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Last event of `$$$all`. */
  readonly all: Readonly<Record<string, unknown>>;
}

/** One changed permission. */
interface RightChange {
  readonly of: 'user streams' | '$all';
  readonly right: string;
  /** Null if it was not set. */
  readonly before: readonly string[] | null;
  readonly after: readonly string[];
}

interface PlannedRights {
  readonly changes: readonly RightChange[];
  /** New content of `$settings`; null if it needs no change. */
  readonly settings: object | null;
  /** New content of `$$$all`; null if it needs no change. */
  readonly all: object | null;
}

const ADMINS = '$admins';
const EVERYBODY = '$all';
const NEEDED = { $r: 'read', $w: 'write', $mr: 'read metadata' } as const;
const NOT_NEEDED = { $d: 'delete', $mw: 'write metadata' } as const;

/**
 * The minimal permissions of a user: to read `$all`, and to read, write and read the metadata of user streams; not to
 * delete a stream or to change metadata. Existing permissions are kept, except that a permission which this user
 * should not have is withdrawn from `$all` (everybody).
 */
export function rightsFor(user: string, { settings, all }: SetRights): PlannedRights {
  const changes: RightChange[] = [];
  const streams = { ...(settings['$userStreamAcl'] as Acl | undefined) };
  const change = (right: string, name: string, before: string[] | null, after: string[]): void => {
    changes.push({ of: 'user streams', right: name, before, after });
    streams[right] = after;
  };
  for (const [right, name] of Object.entries(NEEDED)) {
    const before = rolesIn(streams, right);
    // An unset permission means everybody.
    if (before === null) change(right, name, before, [ADMINS, user]);
    else if (!before.includes(user) && !before.includes(EVERYBODY))
      change(right, name, before, [...before, user]);
  }
  for (const [right, name] of Object.entries(NOT_NEEDED)) {
    const before = rolesIn(streams, right);
    if (before && !before.includes(user) && !before.includes(EVERYBODY)) continue;
    const others = (before ?? []).filter((role) => role !== user && role !== EVERYBODY);
    change(right, name, before, [...new Set([ADMINS, ...others])]);
  }
  const has_changed = changes.length > 0;
  const acl = all['$acl'] as Acl | undefined;
  const own = rolesIn(acl, '$r');
  const readers = own ?? rolesIn(settings['$systemStreamAcl'] as Acl | undefined, '$r') ?? [ADMINS];
  const reads_all = readers.includes(user) || readers.includes(EVERYBODY);
  const after = [...readers, user];
  if (!reads_all) changes.push({ of: '$all', right: 'read', before: own, after });
  return {
    changes,
    settings: has_changed ? { ...settings, $userStreamAcl: streams } : null,
    all: reads_all ? null : { ...all, $acl: { ...acl, $r: after } },
  };
}

/** Groups of a user through which it could delete streams or change metadata. */
export function groupsWithMore(groups: readonly string[], settings: object): string[] {
  const acl = (settings as SetRights['settings'])['$userStreamAcl'] as Acl | undefined;
  const roles = Object.keys(NOT_NEEDED).flatMap((right) => rolesIn(acl, right) ?? []);
  return groups.filter((group) => group === ADMINS || roles.includes(group));
}

function rolesIn(acl: Acl | undefined, right: string): string[] | null {
  const roles = acl?.[right];
  if (typeof roles === 'string') return [roles];
  return Array.isArray(roles) ? roles.map(String) : null;
}

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
