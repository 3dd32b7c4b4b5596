export type UploadFault =
  /** It does not exist, or belongs to another user. */
  | 'not-found'
  | 'expired'
  /** Another request of this process uses it. */
  | 'locked'
  /** The offset is not that of the bytes received; another process may have stored some meanwhile. */
  | 'wrong-offset'
  /** The length was announced before, or is less than what was received. */
  | 'wrong-length'
  | 'wrong-checksum'
  | 'too-many-parts'
  /** The user has too many unfinished uploads. */
  | 'too-many';

/** A request that does not fit the state of an upload. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed';
  constructor(readonly fault: UploadFault) {
    super(`upload: ${fault}`);
  }
}
