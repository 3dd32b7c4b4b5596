import { randomBytes } from 'node:crypto';
import { hasSigningKey, loadSigningKey } from '../event-store/sqlite/index.js';
import type { StoreSettings } from './settings.js';

/**
 * The secret of the key with which this installation signs digests, 32 bytes; without a folder, one for this process.
 * @throws UnusableKey
 */
export function signingKeyOf({ data_dir, side_store, signing_key }: StoreSettings): Uint8Array {
  if (side_store === 'memory') return signing_key ?? randomBytes(32);
  // All processes have the same.
  if (side_store === 'mongodb') return signing_key!;
  return loadSigningKey(data_dir, signing_key?.toString('hex'));
}

/** The same for a read-only command: null if there is none yet; none is created. @throws UnusableKey */
export function readSigningKeyOf(settings: StoreSettings): Uint8Array | null {
  const { data_dir, side_store, signing_key } = settings;
  if (signing_key || side_store !== 'sqlite') return signing_key;
  return hasSigningKey(data_dir) ? signingKeyOf(settings) : null;
}
