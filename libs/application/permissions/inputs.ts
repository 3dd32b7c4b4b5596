import { PREFIX } from '../../domain/kernel/ids.js';
import type { FreshGrant, RedeemPermission } from '../../domain/permissions/commands.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { fresh } from '../fresh.js';

/** What redeeming is asked with: the code itself, which goes no further than its digest. */
export interface RedeemInput extends Omit<RedeemPermission, 'redeem_digest'> {
  readonly redeem_code: string;
}

/** Ids and a code for a grant that may need them. */
export function freshGrant(
  prefix: typeof PREFIX.directory_permission | typeof PREFIX.system_permission,
): FreshGrant {
  return {
    permission_id: fresh.id(prefix),
    placeholder_id: fresh.id(PREFIX.placeholder_grantee),
    ...fresh.code(),
  };
}

export function redemption({ redeem_code, ...rest }: RedeemInput): RedeemPermission {
  return { ...rest, redeem_digest: sha256Hex(redeem_code) };
}
