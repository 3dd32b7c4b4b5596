import type { DirectoryType, SystemType } from '../kernel/permission-types.js';
import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { Permission } from '../access/permission.js';
import type { Evolvers } from '../foundation/evolver.js';
import type { Table } from '../kernel/table.js';
import { removeGrant } from '../relations/cascade.js';
import type { GRANT_SETTINGS } from '../relations/default-grant.js';
import type { Summaries, SummaryContext } from '../foundation/summary-context.js';

/** The fields of a grant that a client may change. */
export interface GrantFields<Type extends string> extends Omit<typeof GRANT_SETTINGS, 'metadata'> {
  permission_types: readonly Type[];
  inheritable: boolean;
  metadata: Sealed<object | null>;
}

/** The grantee of a grant, with a code if it is a placeholder. */
export interface GranteeFields {
  granted_to: string;
  redeem_code: Sealed<string | null>;
  redeem_digest: string;
}

export interface GrantCreated<Type extends string> extends GrantFields<Type>, GranteeFields {
  permission_id: string;
  resource_id: string;
  granted_by: string;
}

/** The fields of a changed grant. */
export type GrantUpdated<Type extends string> = {
  permission_id: string;
  resource_id?: string;
} & Partial<GrantFields<Type> & GranteeFields>;

export interface GrantRedeemed {
  permission_id: string;
  granted_to: string;
  /** Null: unchanged. */
  note: string | null;
}

export interface PermissionEvents {
  DirectoryPermissionCreated: GrantCreated<DirectoryType>;
  DirectoryPermissionUpdated: { permission_id: string } & Partial<GrantFields<DirectoryType>>;
  DirectoryPermissionDeleted: { permission_id: string };
  DirectoryPermissionRedeemed: GrantRedeemed;
  SystemPermissionCreated: GrantCreated<SystemType>;
  /** A changed grantee has its code (null for others); the redeemed origin is cleared. */
  SystemPermissionUpdated: GrantUpdated<SystemType>;
  SystemPermissionDeleted: { permission_id: string };
  SystemPermissionRedeemed: GrantRedeemed;
}

const sealing = { secret: ['redeem_code', 'metadata'], hidden: ['redeem_digest'] } as const;

export const permissionSchemas: EventSchemas<PermissionEvents> = {
  DirectoryPermissionCreated: { version: 1, ...sealing },
  DirectoryPermissionUpdated: { version: 1, ...sealing },
  DirectoryPermissionDeleted: { version: 1 },
  DirectoryPermissionRedeemed: { version: 1 },
  SystemPermissionCreated: { version: 1, ...sealing },
  SystemPermissionUpdated: { version: 1, ...sealing },
  SystemPermissionDeleted: { version: 1 },
  SystemPermissionRedeemed: { version: 1 },
};

function create<Type extends string>(
  table: Table<Permission<Type>>,
  { permission_id, ...fields }: GrantCreated<Type>,
  at_ms: number,
): void {
  table.put({
    ...fields,
    id: permission_id,
    from_placeholder_grantee: null,
    created_at: at_ms,
    last_modified_at: at_ms,
  });
}

/** Transfers a placeholder's grant to a user and removes its code. */
function redeem<Type extends string>(
  table: Table<Permission<Type>>,
  data: GrantRedeemed,
  at_ms: number,
): void {
  const grant = table.get(data.permission_id);
  if (!grant) return;
  table.put({
    ...grant,
    granted_to: data.granted_to,
    from_placeholder_grantee: grant.granted_to,
    redeem_code: null,
    redeem_digest: '',
    note: data.note ?? grant.note,
    last_modified_at: at_ms,
  });
}

export const permissionEvolvers: Evolvers<PermissionEvents> = {
  DirectoryPermissionCreated(state, data, { timestamp_ms }) {
    create(state.directory_permissions, data, timestamp_ms);
  },

  DirectoryPermissionUpdated(state, { permission_id, ...fields }, { timestamp_ms }) {
    const grant = state.directory_permissions.get(permission_id);
    if (grant)
      state.directory_permissions.put({ ...grant, ...fields, last_modified_at: timestamp_ms });
  },

  DirectoryPermissionDeleted: (state, { permission_id }) => removeGrant(state, permission_id),

  DirectoryPermissionRedeemed(state, data, { timestamp_ms }) {
    redeem(state.directory_permissions, data, timestamp_ms);
  },

  SystemPermissionCreated(state, data, { timestamp_ms }) {
    create(state.system_permissions, data, timestamp_ms);
  },

  SystemPermissionUpdated(state, { permission_id, ...fields }, { timestamp_ms }) {
    const grant = state.system_permissions.get(permission_id);
    if (!grant) return;
    const regranted = fields.granted_to === undefined ? {} : { from_placeholder_grantee: null };
    state.system_permissions.put({
      ...grant,
      ...fields,
      ...regranted,
      last_modified_at: timestamp_ms,
    });
  },

  SystemPermissionDeleted: (state, { permission_id }) => removeGrant(state, permission_id),

  SystemPermissionRedeemed(state, data, { timestamp_ms }) {
    redeem(state.system_permissions, data, timestamp_ms);
  },
};

/** The names of a grant's grantee and resource. */
function partsOf(
  { name, record }: SummaryContext,
  permission_id: string,
): { who: string; what: string } {
  const grant = record<Permission>(permission_id);
  if (!grant) return { who: permission_id, what: 'something' };
  return { who: name(grant.granted_to), what: name(grant.resource_id) };
}

type Changed = Pick<GrantRedeemed, 'permission_id'>;

const created = ({ actor, name }: SummaryContext, data: GrantCreated<string>): string =>
  `${actor} granted ${name(data.granted_to)} ${data.permission_types.join(', ')} on ${name(data.resource_id)}`;

function updated(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${context.actor} changed the grant for ${who} on ${what}`;
}

function deleted(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${context.actor} revoked the grant for ${who} on ${what}`;
}

function redeemed(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${who} got a grant on ${what} with a code`;
}

export const permissionSummaries: Summaries<PermissionEvents> = {
  DirectoryPermissionCreated: created,
  DirectoryPermissionUpdated: updated,
  DirectoryPermissionDeleted: deleted,
  DirectoryPermissionRedeemed: redeemed,
  SystemPermissionCreated: created,
  SystemPermissionUpdated: updated,
  SystemPermissionDeleted: deleted,
  SystemPermissionRedeemed: redeemed,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends PermissionEvents {}
}
