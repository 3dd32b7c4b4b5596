import { event } from '../foundation/events.js';
import { granted, joined } from '../groups/testing/events.js';
import { DRIVE, OWNER, SpecDrive } from '../testing/drive.js';
import { about, presentOrganization, presentShortlink, presentSuperswap, whoAmI } from './reads.js';

const ALICE = 'UserID_alice';
const STRANGER = 'UserID_stranger';

const alice_joined = joined('alice', { name: 'Alice' });

describe('about', () => {
  it('shows everything to the owner and holders of VIEW on DRIVES', () => {
    const drive = new SpecDrive();
    const view = about(drive.context(OWNER));
    expect(view).toEqual({
      organization_name: 'Spec Org',
      organization_id: DRIVE,
      owner: OWNER,
      host: 'http://host.example',
      frontend_url: `http://front.example/org/${DRIVE}__aHR0cDovL2hvc3QuZXhhbXBsZQ`,
      canister_id: 'spec',
      version: '0.0.0',
      gas_cycles: '0',
      daily_idle_cycle_burn_rate: '0',
      controllers: [],
      external_id: '',
      email: null,
    });
    drive.given(granted('SystemPermissionID_v', ALICE, DRIVE, 'VIEW'));
    expect(about(drive.context(ALICE))).toEqual(view);
  });

  it('redacts for all other callers', () => {
    const drive = new SpecDrive();
    const organization = drive.state.organization;
    drive.state.organizations.put({ ...organization, email: 'a@b.example', external_id: 'x' });
    expect(about(drive.context(OWNER))).toMatchObject({ email: 'a@b.example', external_id: 'x' });
    expect(about(drive.context(STRANGER))).toMatchObject({
      organization_name: 'REDACTED',
      owner: 'REDACTED',
      canister_id: 'REDACTED',
      organization_id: DRIVE,
      host: 'http://host.example',
      external_id: '',
      email: null,
    });
  });
});

describe('whoAmI', () => {
  it('shows contacts by name, and other callers as anonymous', () => {
    const drive = new SpecDrive().given(alice_joined);
    expect(whoAmI(drive.context(ALICE))).toEqual({
      userID: ALICE,
      driveID: DRIVE,
      nickname: 'Alice',
      icp_principal: 'alice',
      evm_public_address: null,
      is_owner: false,
      drive_nickname: 'Spec Org',
    });
    expect(whoAmI(drive.context(OWNER)).is_owner).toBe(true);
    expect(whoAmI(drive.context(STRANGER))).toMatchObject({
      nickname: 'Anonymous User',
      icp_principal: 'stranger',
      evm_public_address: null,
    });
  });

  it('shows id and address of a contact without a name', () => {
    const drive = new SpecDrive().given(
      alice_joined,
      event('ContactUpdated', {
        contact_id: ALICE,
        subject_key_id: 'subject-alice',
        name: '',
        evm_public_address: '0xab',
      }),
    );
    drive.state.organizations.put({ ...drive.state.organization, name: '' });
    expect(whoAmI(drive.context(ALICE))).toMatchObject({
      nickname: ALICE,
      evm_public_address: '0xab',
      drive_nickname: 'Unnamed Organization',
    });
  });
});

describe('records in replay and snapshot', () => {
  it('never show the spawn code, only whether there is one', () => {
    const drive = new SpecDrive();
    const context = drive.context(OWNER);
    const { organization } = drive.state;
    expect(presentOrganization(context, organization)).toMatchObject({
      id: DRIVE,
      owner_id: OWNER,
      spawn_redeem_code: '***',
    });
    drive.given(event('OrganizationActivated', {}));
    expect(presentOrganization(context, drive.state.organization).spawn_redeem_code).toBe('');
  });

  it('show short links and superswaps whole', () => {
    const drive = new SpecDrive();
    const made = { id: 's1', original_url: 'https://a.example', created_by: OWNER, created_at: 1 };
    expect(presentShortlink(drive.context(OWNER), made)).toMatchObject({ ...made, slug: 's1' });
    const swap = { id: 'e1', old_user_id: ALICE, new_user_id: STRANGER, created_at: 1 };
    expect(presentSuperswap(drive.context(OWNER), { ...swap, revision: 4 })).toEqual(swap);
  });
});
