import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { labelValues } from '../relations/labels.js';
import type { Disk, DiskType } from './record.js';

export interface DiskView {
  id: string;
  name: string;
  disk_type: DiskType;
  public_note: string | null;
  private_note: string | null;
  auth_json: string | null;
  created_at: number;
  root_folder: string;
  trash_folder: string;
  external_id: string | null;
  external_payload: string | null;
  endpoint: string | null;
  billing_url: string | null;
  autoexpire_ms: number | null;
  permission_previews: readonly SystemType[];
  labels: string[];
}

/** A disk as the caller of `context` sees it. */
export function presentDisk(context: Context, disk: Disk): DiskView {
  const access = Access.of(context);
  const may_edit = access.can('EDIT', disk.id);
  return {
    id: disk.id,
    name: disk.name,
    disk_type: disk.disk_type,
    public_note: disk.public_note,
    private_note: may_edit ? disk.private_note : null,
    auth_json: may_edit ? presentAuthJson(context, disk) : null,
    created_at: disk.created_at,
    root_folder: disk.root_folder,
    trash_folder: disk.trash_folder,
    external_id: disk.external_id || null,
    external_payload: disk.external_payload || null,
    endpoint: disk.endpoint || null,
    billing_url: disk.endpoint || null,
    autoexpire_ms: disk.autoexpire_ms,
    permission_previews: access.systemTypes(disk.id),
    labels: labelValues(context.state, disk),
  };
}

function presentAuthJson({ masked, open }: Context, { auth_json }: Disk): string | null {
  if (auth_json === null || auth_json === '') return auth_json;
  return masked ? MASKED : open(auth_json, 'auth_json');
}
