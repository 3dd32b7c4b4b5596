import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { KnownDrive } from './record.js';

export interface KnownDriveView {
  id: string;
  name: string;
  icp_principal: string;
  public_note: string;
  private_note: string;
  host_url: string;
  last_indexed_ms: number | null;
  email: string | null;
  labels: string[];
  external_id: string | null;
  external_payload: string | null;
  created_at: number;
  permission_previews: readonly SystemType[];
}

/** An entry of the address book of organizations. */
export function presentKnownDrive(context: Context, drive: KnownDrive): KnownDriveView {
  const access = Access.of(context);
  return {
    id: drive.id,
    name: drive.name,
    icp_principal: drive.icp_principal,
    public_note: drive.public_note,
    private_note: access.is_owner ? drive.private_note : '',
    host_url: drive.host_url,
    last_indexed_ms: drive.last_indexed_ms,
    email: context.open(drive.email, 'email') || null,
    labels: labelValues(context.state, drive),
    external_id: drive.external_id || null,
    external_payload: drive.external_payload || null,
    created_at: drive.created_at,
    permission_previews: access.systemTypes(drive.id),
  };
}
