import { type Metadata, type ServerErrorResponse, status as codes } from '@grpc/grpc-js';

import type { EventLog } from './event-log.js';
import { accessDenied, failure } from './messages.js';

/** A user that the server knows. */
export interface ServerUser {
  readonly password: string;
  /** Those of `$admins` may do everything. */
  readonly groups?: readonly string[];
}

export type Action = 'read' | 'write' | 'delete';

/** What an ACL calls the right to an action on a stream, and on its metadata. */
const RIGHTS = { read: '$r', write: '$w', delete: '$d' } as const;
const METADATA_RIGHTS = { read: '$mr', write: '$mw', delete: '' } as const;
const ADMINS = '$admins';
const EVERYBODY = '$all';

/**
 * Who may do what, after the legacy authorization of EventStoreDB 23.10: the stream's own ACL, else the default ACL
 * in `$settings`, else everything for user streams and administrators alone for those of the system, `$all` among them.
 */
export class Access {
  readonly #users: Map<string, ServerUser> | null;

  /** @param users without them every caller may do everything */
  constructor(
    users: Readonly<Record<string, ServerUser>> | undefined,
    private readonly log: EventLog,
  ) {
    this.#users = users ? new Map(Object.entries(users)) : null;
  }

  setPassword(login: string, password: string): void {
    this.#users!.set(login, { ...this.#users!.get(login), password });
  }

  /** Users are streams of the system, which administrators read. */
  userStreams(): readonly { readonly stream: string; readonly data: string }[] {
    return [...(this.#users ?? [])].map(([login, { groups = [] }]) => ({
      stream: `$user-${login}`,
      data: JSON.stringify({ loginName: login, salt: 'c2FsdA==', hash: 'aGFzaA==', groups }),
    }));
  }

  /** Why a call may not begin at all: a wrong password. */
  unauthenticated(metadata: Metadata): ServerErrorResponse | null {
    const credentials = credentialsIn(metadata);
    if (!this.#users || !credentials) return null;
    const { login, password } = credentials;
    if (this.#users.get(login)?.password === password) return null;
    return failure(codes.UNAUTHENTICATED, 'Bad HTTP status: 401');
  }

  /** Why a call may not do something to a stream, or to `$all`; null if it may. */
  refusal(metadata: Metadata, action: Action, stream: string): ServerErrorResponse | null {
    if (!this.#users) return null;
    const login = credentialsIn(metadata)?.login;
    const groups = (login !== undefined && this.#users.get(login)?.groups) || [];
    if (groups.includes(ADMINS)) return null;
    const roles = [EVERYBODY, ...groups, ...(login === undefined ? [] : [login])];
    const allowed = this.#rolesFor(action, stream);
    return allowed.some((role) => roles.includes(role)) ? null : accessDenied();
  }

  #rolesFor(action: Action, stream: string): readonly string[] {
    const is_metadata = stream.startsWith('$$');
    const right = (is_metadata ? METADATA_RIGHTS : RIGHTS)[action];
    const described = is_metadata ? stream.slice(2) : stream;
    const is_system = described.startsWith('$');
    const settings = this.#lastOf('$settings');
    const own = this.#lastOf(`$$${described}`)['$acl'];
    const common = settings[is_system ? '$systemStreamAcl' : '$userStreamAcl'];
    return rolesIn(own, right) ?? rolesIn(common, right) ?? [is_system ? ADMINS : EVERYBODY];
  }

  #lastOf(stream: string): Readonly<Record<string, unknown>> {
    const view = this.log.read(stream);
    const last = view.kind === 'records' ? view.records.at(-1) : undefined;
    return last ? (JSON.parse(Buffer.from(last.data).toString()) as Record<string, unknown>) : {};
  }
}

function rolesIn(acl: unknown, right: string): readonly string[] | undefined {
  const roles = (acl as Record<string, string | string[]> | undefined)?.[right];
  return typeof roles === 'string' ? [roles] : roles;
}

function credentialsIn(metadata: Metadata): { login: string; password: string } | null {
  const [header] = metadata.get('authorization');
  const [scheme, coded = ''] = String(header ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return null;
  const [login = '', ...password] = Buffer.from(coded, 'base64').toString().split(':');
  return { login, password: password.join(':') };
}
