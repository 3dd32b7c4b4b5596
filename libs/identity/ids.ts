/** Identifiers: a prefix that names the kind, then an opaque part. */
import { randomUUID } from 'node:crypto';

/** Prefixes of ids whose opaque part is a principal: see `derive.ts`. */
export const PRINCIPAL_PREFIXES = { drive: 'DriveID_', user: 'UserID_' } as const;

/** A fresh id: the prefix and a random UUID v4. Users and drives have principals instead. */
export function newId<P extends `${string}ID_`>(
  prefix: P extends (typeof PRINCIPAL_PREFIXES)['drive' | 'user'] ? never : P,
): `${P}${string}` {
  return `${prefix}${randomUUID()}`;
}

/** A fresh redeem code: 122 random bits, impossible to guess. */
export function newRedeemCode(): `RedeemTokenID_${string}` {
  return newId('RedeemTokenID_');
}
