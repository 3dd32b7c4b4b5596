import type { SystemType } from '../kernel/permission-types.js';
import { event } from '../foundation/events.js';
import { granted } from '../groups/testing/events.js';
import { about } from '../organization/reads.js';
import { DRIVE, OWNER, SPEC_SETTINGS, SpecDrive, T0 } from '../testing/drive.js';
import { knownDriveCommands } from './commands.js';
import { knownDriveReads, presentKnownDrive } from './reads.js';

const { CreateKnownDrive, UpdateKnownDrive, DeleteKnownDrive } = knownDriveCommands;
const BOB = 'UserID_bob';
const PRINCIPAL = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const ACME = `DriveID_${PRINCIPAL}`;
const command = { name: 'Acme', icp_principal: PRINCIPAL };

const acme = event('KnownDriveCreated', {
  drive_id: ACME,
  name: 'Acme',
  icp_principal: PRINCIPAL,
  public_note: 'a partner',
  private_note: 'owes us',
  host_url: 'https://acme.example',
  email: 'a@acme.example',
  external_id: null,
  external_payload: null,
});

const drive = (...types: SystemType[]) =>
  new SpecDrive().given(
    acme,
    ...(types.length > 0 ? [granted('SystemPermissionID_b', BOB, 'TABLE_DRIVES', ...types)] : []),
  );

describe('CreateKnownDrive', () => {
  it('derives id and host from the principal', () => {
    const { answer } = new SpecDrive().when(CreateKnownDrive, OWNER, command);
    expect(answer).toEqual({
      id: ACME,
      name: 'Acme',
      icp_principal: PRINCIPAL,
      public_note: '',
      private_note: '',
      host_url: `https://${PRINCIPAL}.icp0.io`,
      last_indexed_ms: null,
      email: null,
      labels: [],
      external_id: null,
      external_payload: null,
      created_at: T0 + 1,
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
    });
  });

  it('refuses an id in use; a derived id may be reused after deletion, a chosen one not', () => {
    const given = drive();
    const chosen = { ...command, id: ACME };
    expect(given.when(CreateKnownDrive, OWNER, command).refusal).toBe('id-in-use');
    expect(given.when(CreateKnownDrive, OWNER, { ...command, id: DRIVE }).refusal).toBe(
      'id-in-use',
    );
    given.when(DeleteKnownDrive, OWNER, { id: ACME });
    expect(given.when(CreateKnownDrive, OWNER, chosen).refusal).toBe('id-in-use');
    expect(given.when(CreateKnownDrive, OWNER, command).refusal).toBeNull();
  });

  it('requires CREATE on the table', () => {
    const blind = drive('VIEW', 'EDIT', 'DELETE');
    expect(blind.when(CreateKnownDrive, BOB, command).refusal).toBe('forbidden');
    const other = { name: 'Other', icp_principal: 'aaaaa-aa' };
    expect(drive('CREATE').when(CreateKnownDrive, BOB, other).allowed_by).toEqual([
      'SystemPermissionID_b',
    ]);
  });
});

describe('UpdateKnownDrive', () => {
  it('changes only the given fields; the host can be reset to the default', () => {
    const { answer } = drive().when(UpdateKnownDrive, OWNER, {
      id: ACME,
      icp_principal: 'aaaaa-aa',
      host_url: null,
      email: null,
    });
    expect(answer).toMatchObject({
      name: 'Acme',
      icp_principal: 'aaaaa-aa',
      host_url: 'https://aaaaa-aa.icp0.io',
      email: null,
      public_note: 'a partner',
    });
  });

  it('renames the organization with its own record, which keeps its principal', () => {
    const given = drive();
    given.when(UpdateKnownDrive, OWNER, { id: ACME, name: 'Acme Inc.' });
    expect(given.state.organization.name).toBe('Spec Org');
    const renamed = { id: DRIVE, name: 'New Name', host_url: 'https://other.example' };
    given.when(UpdateKnownDrive, OWNER, renamed);
    expect(about(given.context(OWNER)).organization_name).toBe('New Name');
    const reset = given.when(UpdateKnownDrive, OWNER, { id: DRIVE, host_url: null });
    expect(reset.answer).toMatchObject({ name: 'New Name', host_url: SPEC_SETTINGS.host_url });
    const moved = { id: DRIVE, icp_principal: 'aaaaa-aa' };
    expect(given.when(UpdateKnownDrive, OWNER, moved).refusal).toBe('invalid-field');
    const { icp_principal } = given.state.drives.get(DRIVE)!;
    expect(given.when(UpdateKnownDrive, OWNER, { id: DRIVE, icp_principal }).refusal).toBeNull();
  });

  it('checks the permission before it reveals whether the drive exists', () => {
    const unknown = { id: 'DriveID_none', name: 'x' };
    for (const input of [unknown, { id: ACME, name: 'x' }])
      expect(drive('VIEW').when(UpdateKnownDrive, BOB, input).refusal).toBe('forbidden');
    expect(drive('EDIT').when(UpdateKnownDrive, BOB, unknown).refusal).toBe('drive-not-found');
    expect(drive('EDIT').when(UpdateKnownDrive, BOB, { id: ACME }).refusal).toBe(
      'nothing-to-update',
    );
  });
});

describe('DeleteKnownDrive', () => {
  it('also deletes grants on the record', () => {
    const given = drive().given(granted('SystemPermissionID_a', BOB, ACME, 'VIEW'));
    expect(given.when(DeleteKnownDrive, OWNER, { id: ACME }).answer).toEqual({
      id: ACME,
      deleted: true,
    });
    expect(given.state.system_permissions.has('SystemPermissionID_a')).toBe(false);
  });

  it('refuses to delete the drive’s own record', () => {
    expect(drive().when(DeleteKnownDrive, OWNER, { id: DRIVE }).refusal).toBe(
      'own-drive-undeletable',
    );
    expect(drive('EDIT').when(DeleteKnownDrive, BOB, { id: DRIVE }).refusal).toBe('forbidden');
  });

  it('requires DELETE before it reveals whether the drive exists', () => {
    for (const id of [ACME, 'DriveID_none'])
      expect(drive('EDIT').when(DeleteKnownDrive, BOB, { id }).refusal).toBe('forbidden');
    const given = drive('DELETE');
    expect(given.when(DeleteKnownDrive, BOB, { id: 'DriveID_none' }).refusal).toBe(
      'drive-not-found',
    );
  });
});

describe('reading known drives', () => {
  it('shows the private note only to the owner', () => {
    const given = drive('VIEW', 'EDIT');
    const shown = (who: string) =>
      presentKnownDrive(given.context(who), given.state.drives.get(ACME)!);
    expect(shown(OWNER)).toMatchObject({ private_note: 'owes us', email: 'a@acme.example' });
    expect(shown(BOB)).toMatchObject({
      private_note: '',
      public_note: 'a partner',
      permission_previews: ['VIEW', 'EDIT'],
    });
  });

  it('shows all records to holders of VIEW on the table, otherwise those with their own grant', () => {
    expect(knownDriveReads.visible(drive('VIEW').context(BOB))).toBe('all');
    const given = drive().given(granted('SystemPermissionID_a', BOB, ACME, 'VIEW'));
    const context = given.context(BOB);
    expect(knownDriveReads.visible(context)).toEqual([{ field: 'id', among: new Set([ACME]) }]);
    expect([ACME, DRIVE].map((id) => knownDriveReads.mayAsk!(context, id))).toEqual([true, false]);
  });
});
