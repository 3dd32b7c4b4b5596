import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { KnownDrive } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { shownByViewRight } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';

export const knownDriveView = view('KnownDrive', {
  id: text({ example: 'DriveID_rrkah-fqaaa-aaaaa-aaaaq-cai' }),
  name: text({ example: 'Acme' }),
  icp_principal: text(),
  public_note: text(),
  private_note: text('Empty unless the caller is the owner'),
  host_url: text(),
  last_indexed_ms: nullable(integer('Time of the last rebuild of its read models, ms')),
  email: nullable(text()),
  labels: listOf(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  created_at: integer(),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type KnownDriveView = Shown<typeof knownDriveView>;

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

export const knownDriveReads: ReadDefinition<KnownDrive, KnownDriveView> = {
  family: 'drives',
  not_found: 'drive-not-found',
  when_hidden: 'forbidden',
  ...shownByViewRight('TABLE_DRIVES', PREFIX.drive),
  // Ids are public principals.
  mayAsk: (context, id) => Access.of(context).can('VIEW', id),
  present: presentKnownDrive,
  filter_text: (drive) => lines(drive.name, drive.id),
  search: {
    category: 'DRIVES',
    text: (drive) => lines(drive.name, drive.id, drive.host_url),
    title: (drive) => drive.name,
    updated_at: (drive) => drive.created_at,
    preview: (drive) => drive.host_url,
  },
};
