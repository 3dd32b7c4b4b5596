import type { DirectoryType, SystemType } from '../kernel/permission-types.js';
import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';

/** The fields of a grant that a client may change. */
export interface GrantFields<Type extends string> {
  permission_types: readonly Type[];
  begin_date_ms: number;
  expiry_date_ms: number;
  inheritable: boolean;
  note: string;
  metadata: Sealed<object | null>;
  external_id: string | null;
  external_payload: string | null;
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

declare module '../foundation/events.js' {
  interface DriveEvents extends PermissionEvents {}
}
