import type { Permission } from '../../access/permission.js';
import { isCounting } from '../../access/grants.js';
import { isFormerId } from '../../relations/former-ids.js';
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
  if (!grant.granted_to.startsWith(PREFIX.placeholder_grantee)) return refuse('not-redeemable');
  if (!equalDigests(grant.redeem_digest, command.redeem_digest))
    return refuse('redeem-code-invalid', {
      pointer: '/redeem_code',
      reason: 'is not the code of this permission',
    });
  if (!isCounting(grant, now)) return refuse('not-redeemable');
  if (isFormerId(state, command.user_id)) return refuse('former-user-id');
  return null;
}
