import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { labelValues } from '../relations/labels.js';
import { type Disk, DISK_TYPES } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { shownByViewRight } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';

export const diskView = view('Disk', {
  id: text({ example: 'DiskID_3f0c…' }),
  name: text({ example: 'Archive' }),
  disk_type: oneOf(DISK_TYPES),
  public_note: nullable(text()),
  private_note: nullable(text('Null without EDIT')),
  auth_json: nullable(text('Null without EDIT')),
  created_at: integer(),
  root_folder: text(),
  trash_folder: text(),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  endpoint: nullable(text()),
  billing_url: nullable(text('The same as endpoint')),
  autoexpire_ms: nullable(integer('Lifetime of new files, ms')),
  quota_bytes: nullable(integer('Maximum bytes of stored content; null = unlimited')),
  keep_versions: nullable(
    integer('Versions of a file whose content is kept, with the current one; null = all'),
  ),
  keep_versions_days: nullable(
    integer('Days for which the content of former versions is kept; null = unlimited'),
  ),
  used_bytes: integer('Bytes of stored content, each content counted once'),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
  labels: listOf(text()),
});
export type DiskView = Shown<typeof diskView>;

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
    quota_bytes: disk.quota_bytes ?? null,
    keep_versions: disk.keep_versions ?? null,
    keep_versions_days: disk.keep_versions_days ?? null,
    used_bytes: context.state.contents.sum('of_disk', disk.id),
    permission_previews: access.systemTypes(disk.id),
    labels: labelValues(context.state, disk),
  };
}

function presentAuthJson({ masked, open }: Context, { auth_json }: Disk): string | null {
  if (auth_json === null || auth_json === '') return auth_json;
  return masked ? MASKED : open(auth_json, 'auth_json');
}

export const diskReads: ReadDefinition<Disk, DiskView> = {
  family: 'disks',
  not_found: 'disk-not-found',
  when_hidden: 'forbidden',
  ...shownByViewRight('TABLE_DISKS', PREFIX.disk),
  present: presentDisk,
  filter_text: (disk) => lines(disk.name, disk.id),
  search: {
    category: 'DISKS',
    text: (disk) => lines(disk.name, disk.disk_type, disk.id),
    title: (disk) => disk.name,
    updated_at: (disk) => disk.created_at,
    preview: (disk) => disk.disk_type,
  },
};
