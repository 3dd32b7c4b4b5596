import type { RedeemPermission } from '../../domain/permissions/commands.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';

/** Input of a redemption with the code in clear. Only its digest reaches the command. */
export interface RedeemInput extends Omit<RedeemPermission, 'redeem_digest'> {
  readonly redeem_code: string;
}

export function redemption({ redeem_code, ...rest }: RedeemInput): RedeemPermission {
  return { ...rest, redeem_digest: sha256Hex(redeem_code) };
}
