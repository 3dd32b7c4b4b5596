import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { hkdfSync, type KeyObject } from 'node:crypto';
import { Provided } from '../providers.js';
import { refuseWithout } from '../../domain/access/denial.js';
import { STATE_VERSION } from '../../domain/drive/state.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { Drives } from '../../engine/drives/drives.js';
import { type Digest, type SignedDigest, signedText } from '../../proofs/digest.js';
import { checkpointText, signedNote } from '../../proofs/note.js';
import { DriveQuery } from '../drive-query.js';
import { answerNow, type Reader } from '../read-record.js';
import type { Outcome } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';
import { atPoint, type PastState } from '../../engine/past/past.js';
import { outOfRange } from '../../engine/past/points.js';
import { folding } from '../replay/owners-view.js';
import { hex } from './log-answers.js';
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

interface GetDigestInput {
  /** The last event that the digest covers; by default the last one of all. */
  readonly revision?: number;
}

/** A signed commitment to the history of a drive, to be stored outside the service. */
export class GetDigest extends DriveQuery<GetDigestInput, Digest> {}

@Provided
@QueryHandler(GetDigest)
export class GetDigestHandler {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(SigningKey) private readonly signing_key: SigningKey,
  ) {}

  execute({ reader, input }: GetDigest): Promise<Outcome<Digest>> {
    return signedDigest(this.drives, this.signing_key, reader, input);
  }
}

export function signedDigest(
  drives: Drives,
  signing_key: SigningKey,
  reader: Reader,
  { revision }: GetDigestInput,
): Promise<Outcome<Digest>> {
  return answerNow(drives, reader, async (context, drive) => {
    const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
    if (denied) return denied;
    if (revision === undefined || revision === drive.head.revision)
      return signed(signing_key, drive, await commitmentOfNow(drive));
    if (revision > drive.head.revision) return outOfRange('/revision', 0, drive.head.revision);
    const commitment = await folding(commitmentAt(drives, drive, revision));
    return isRefusal(commitment) ? commitment : signed(signing_key, drive, commitment);
  });
}

/** What a digest commits to. */
interface Commitment {
  readonly revision: number;
  readonly chain_hash: Uint8Array;
  readonly log_root: Buffer;
  readonly state_hash: string | null;
}

async function commitmentOfNow(drive: Drive): Promise<Commitment> {
  await drive.folded.hash.hashInTurns();
  await drive.durable();
  const { revision, last_hash, frontier } = drive.head;
  const state_hash = stateHashOf(drive.folded);
  return { revision, chain_hash: last_hash, log_root: frontier.root(), state_hash };
}

async function commitmentAt(drives: Drives, drive: Drive, revision: number): Promise<Commitment> {
  const { event_hash, root } = await drives.log.inclusion(drive, revision, revision + 1);
  const state_hash = await atPoint(drives, drive, { revision, at_ms: 0 }, async ({ folded }) => {
    await folded.hash.hashInTurns();
    return stateHashOf(folded);
  });
  return { revision, chain_hash: event_hash, log_root: Buffer.from(root), state_hash };
}

/** Null if the state has effects of events that this release does not know. */
function stateHashOf({ state, hash }: PastState['folded']): string | null {
  return state.unknown_events.size === 0 ? hash.root() : null;
}

function signed(signing_key: SigningKey, drive: Drive, commitment: Commitment): Digest {
  const { revision, chain_hash, log_root: root, state_hash } = commitment;
  const { drive_id } = drive;
  const size = revision + 1;
  const digest: SignedDigest = {
    drive_id,
    revision,
    size,
    chain_hash: hex(chain_hash),
    log_root: hex(root),
    state_hash,
    state_version: STATE_VERSION,
    timestamp_ms: drive.now(),
  };
  const origin = originOf(drive.folded.state.organization.host_url, drive_id);
  const checkpoint = checkpointText({ origin, size, root });
  const { public_key } = signing_key;
  return {
    ...digest,
    signature: signing_key.sign(signedText(digest)).toString('base64'),
    public_key: public_key.toString('base64'),
    checkpoint: signedNote(checkpoint, origin, public_key, signing_key.sign(checkpoint)),
  };
}

/**
 * The name of the log: the drive's URL at its creation, without scheme, so that the name survives a move of the
 * service. Key names contain neither blanks nor plus.
 */
function originOf(host_url: string, drive_id: string): string {
  const host = host_url.replace(/^\w+:\/\//, '').replace(/[\s+]/gu, encodeURIComponent);
  return `${host}/v1/drive/${drive_id}`;
}
