import type { Permission } from '../../access/permission.js';
import { outsideWindow } from '../../access/grants.js';
import { isFormerId, refuseFormerId } from '../../relations/former-ids.js';
import type { Context } from '../../foundation/decision.js';
import { equalDigests } from '../../kernel/fields.js';
import { PREFIX } from '../../kernel/ids.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import type { RedeemPermission } from '../commands.js';

/** The refusal to transfer a placeholder's grant to a user, if any. */
export function refuseRedeem(
  { state, now }: Context,
  grant: Permission,
  command: RedeemPermission,
): Refusal | null {
  if (!grant.granted_to.startsWith(PREFIX.placeholder_grantee))
    return refuse('not-redeemable', { pointer: '/permission_id', reason: 'is of no placeholder' });
  if (!equalDigests(grant.redeem_digest, command.redeem_digest))
    return refuse('redeem-code-invalid', {
      pointer: '/redeem_code',
      reason: 'is not the code of this permission',
    });
  const outside = outsideWindow(grant, now);
  if (outside) {
    const reason = outside === 'EXPIRED' ? 'has expired' : 'is not valid yet';
    return refuse('not-redeemable', { pointer: '/permission_id', reason });
  }
  if (isFormerId(state, command.user_id)) return refuseFormerId('/user_id');
  return null;
}
