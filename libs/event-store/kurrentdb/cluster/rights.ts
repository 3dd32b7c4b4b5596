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
export interface RightChange {
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
