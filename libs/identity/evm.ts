/** Accounts of the Ethereum Virtual Machine. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';

/** First account of a phrase: BIP-44 with Ethereum's coin type 60. */
const PATH = "m/44'/60'/0'/0/0";

export interface EvmAccount {
  /** `0x` and 40 hex digits, their case the checksum of EIP-55. */
  readonly evm_public_address: string;
  /** `0x` and 64 lower-case hex digits. */
  readonly evm_private_key: string;
}

/** The first account of a BIP-39 seed of 64 bytes. About 4 ms of computing. */
export function evmAccount(seed: Uint8Array): EvmAccount {
  const secret = HDKey.fromMasterSeed(seed).derive(PATH).privateKey!;
  const point = secp256k1.getPublicKey(secret, false).subarray(1);
  const address = Buffer.from(keccak_256(point).subarray(-20)).toString('hex');
  return {
    evm_public_address: checksumAddress(address),
    evm_private_key: `0x${Buffer.from(secret).toString('hex')}`,
  };
}

/**
 * Writes an address with the checksum of EIP-55 (https://eips.ethereum.org/EIPS/eip-55): a letter
 * is upper-case where the Keccak-256 of the lower-case digits has a half-byte of 8 or more.
 * @param digits 40 lower-case hex digits, without `0x`
 */
export function checksumAddress(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const checked = Array.from(digits, (digit, at) =>
    Number.parseInt(hash[at]!, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${checked.join('')}`;
}
