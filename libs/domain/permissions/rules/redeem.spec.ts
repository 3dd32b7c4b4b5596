import { atOnce } from '../../kernel/steps.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import { superswap } from '../../relations/superswap.js';
import { OWNER, SpecDrive, T0 } from '../../testing/drive.js';
import { permissionCommands } from '../definitions.js';
import { directoryGrant, disk, ROOT, systemGrant } from '../testing/grants.js';

const PLACEHOLDER = 'PlaceholderPermissionGranteeID_1';
const A = 'UserID_a';

const waiting = {
  granted_to: PLACEHOLDER,
  permission_types: ['VIEW'],
  redeem_code: 'RedeemTokenID_1',
  redeem_digest: 'digest-of-1',
  note: 'before',
};

describe.each([
  [
    'RedeemDirectoryPermission',
    permissionCommands.RedeemDirectoryPermission,
    'DirectoryPermissionID_w',
    (given: object) => directoryGrant('w', ROOT, { ...waiting, ...given }),
  ],
  [
    'RedeemSystemPermission',
    permissionCommands.RedeemSystemPermission,
    'SystemPermissionID_w',
    (given: object) => systemGrant('w', 'TABLE_DISKS', { ...waiting, ...given }),
  ],
] as const)('%s', (_, definition, permission_id, grant: (given: object) => DomainEvent) => {
  const command = { permission_id, user_id: A, redeem_digest: 'digest-of-1' };

  function redeem(drive: SpecDrive, given: object = {}, who = 'UserID_holder') {
    return drive.when(definition as never, who, { ...command, ...given } as never) as {
      answer: { permission: object } | null;
      refusal: string | null;
      allowed_by: readonly string[];
    };
  }

  const drive = (given: object = {}) => new SpecDrive().given(disk, grant(given));

  it('transfers the grant to the given user, who need not be the caller', () => {
    const { answer, allowed_by } = redeem(drive());
    expect(allowed_by).toEqual(['CODE']);
    expect(answer!.permission).toMatchObject({
      granted_to: A,
      redeem_code: null,
      from_placeholder_grantee: PLACEHOLDER,
      note: 'before',
    });
  });

  it('replaces the note if one is given', () => {
    expect(redeem(drive(), { note: '' }).answer!.permission).toMatchObject({ note: '' });
  });

  it('works once', () => {
    const once = drive();
    expect(redeem(once).refusal).toBeNull();
    expect(redeem(once).refusal).toBe('not-redeemable');
  });

  it('refuses an unknown grant, a wrong code, and a grant without a placeholder', () => {
    expect(redeem(drive(), { permission_id: `${permission_id}x` }).refusal).toBe(
      'permission-not-found',
    );
    expect(redeem(drive(), { redeem_digest: 'digest-of-2' }).refusal).toBe('redeem-code-invalid');
    expect(redeem(drive({ granted_to: 'PUBLIC' })).refusal).toBe('not-redeemable');
  });

  it('refuses a grant that has expired or not begun', () => {
    expect(redeem(drive({ expiry_date_ms: T0 })).refusal).toBe('not-redeemable');
    expect(redeem(drive({ begin_date_ms: T0 + 1000 })).refusal).toBe('not-redeemable');
    const open = { begin_date_ms: T0, expiry_date_ms: T0 + 1000 };
    expect(redeem(drive(open)).refusal).toBeNull();
  });

  it('refuses the former id of a superswapped contact', () => {
    const swapped = drive();
    atOnce(superswap(swapped.state, OWNER, 'UserID_new', { event_id: 'swap', timestamp_ms: T0 }));
    expect(redeem(swapped, { user_id: OWNER }).refusal).toBe('former-user-id');
    expect(redeem(swapped, { user_id: 'UserID_new' }).refusal).toBeNull();
  });

  it('is refused after the grant was deleted', () => {
    const type = permission_id.startsWith('System')
      ? ('SystemPermissionDeleted' as const)
      : ('DirectoryPermissionDeleted' as const);
    const gone = drive().given(event(type, { permission_id }));
    expect(redeem(gone).refusal).toBe('permission-not-found');
  });
});
