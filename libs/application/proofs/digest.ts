import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { hkdfSync, type KeyObject } from 'node:crypto';
import { Provided } from '../providers.js';
import { refuseWithout } from '../../domain/access/denial.js';
import { STATE_VERSION } from '../../domain/drive/state.js';
import { Drives } from '../../engine/drives/drives.js';
import { type Digest, type SignedDigest, signedText } from '../../proofs/digest.js';
import { checkpointText, signedNote } from '../../proofs/note.js';
import { DriveQuery } from '../drive-query.js';
import { answerNow, type Reader } from '../read-record.js';
import type { Outcome } from '../../engine/writer/call.js';
import { privateKeyOf, rawPublicKey, signMessage } from '../../identity/ed25519.js';

/** The installation's Ed25519 key. It only signs, derives other secrets, and exposes its public key. */
export class SigningKey {
  readonly #secret: Uint8Array;
  readonly #private_key: KeyObject;
  /** 32 bytes. */
  readonly public_key: Buffer;

  /** @param secret 32 bytes */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.#private_key = privateKeyOf(secret);
    this.public_key = rawPublicKey(this.#private_key);
  }

  /** A secret of this installation for another purpose, 32 bytes. */
  derive(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, new Uint8Array(), purpose, 32));
  }

  /** The 64-byte signature of a text. */
  sign(text: string): Buffer {
    return signMessage(this.#private_key, Buffer.from(text));
  }
}

/** A signed commitment to the whole history of a drive, to be stored outside the service. */
export class GetDigest extends DriveQuery<object, Digest> {}

@Provided
@QueryHandler(GetDigest)
export class GetDigestHandler {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(SigningKey) private readonly signing_key: SigningKey,
  ) {}

  execute({ reader }: GetDigest): Promise<Outcome<Digest>> {
    return signedDigest(this.drives, this.signing_key, reader);
  }
}

/** The answer to `GetDigest`. */
export function signedDigest(
  drives: Drives,
  signing_key: SigningKey,
  reader: Reader,
): Promise<Outcome<Digest>> {
  return answerNow(drives, reader, async (context, drive) => {
    const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
    if (denied) return denied;
    await drive.folded.hash.hashInTurns();
    await drive.durable();
    const { state, hash } = drive.folded;
    const { revision, last_hash, frontier } = drive.head;
    const root = frontier.root();
    const digest: SignedDigest = {
      drive_id: drive.drive_id,
      revision,
      size: revision + 1,
      chain_hash: Buffer.from(last_hash).toString('hex'),
      log_root: root.toString('hex'),
      state_hash: state.unknown_events.size === 0 ? hash.root() : null,
      state_version: STATE_VERSION,
      timestamp_ms: drive.now(),
    };
    const origin = originOf(state.organization.host_url, drive.drive_id);
    const checkpoint = checkpointText({ origin, size: revision + 1, root });
    const { public_key } = signing_key;
    return {
      ...digest,
      signature: signing_key.sign(signedText(digest)).toString('base64'),
      public_key: public_key.toString('base64'),
      checkpoint: signedNote(checkpoint, origin, public_key, signing_key.sign(checkpoint)),
    };
  });
}

/**
 * The name of the log: the drive's URL at its creation, without scheme, so that the name survives a move of the
 * service. Key names contain neither blanks nor plus.
 */
function originOf(host_url: string, drive_id: string): string {
  const host = host_url.replace(/^\w+:\/\//, '').replace(/[\s+]/gu, encodeURIComponent);
  return `${host}/v1/drive/${drive_id}`;
}
