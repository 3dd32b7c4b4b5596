import { setTimeout as pause } from 'node:timers/promises';

import { STATE_VERSION } from '../../domain/drive/state.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import type {
  Direction,
  EventStore,
  FoldableEvent,
  FoldablePage,
  PreparedParts,
  StoredEvent,
} from '../../event-store/port.js';
import {
  type EventIndex,
  KeyDoesNotOpen,
  type KeyVault,
  type SideStores,
} from '../../event-store/stores.js';
import { type Digest, flawOfDigest } from '../../proofs/digest.js';
import {
  BrokenStream,
  type StreamSource,
  emptyState,
  foldOnto,
  hasEvent,
  orBroken,
  streamOf,
} from '../fold/fold.js';
import { isWhole } from '../fold/stream-pages.js';
import { boxesIn } from '../keys/codec.js';
import { Keyring } from '../keys/keyring.js';
import { missingKeysText } from '../keys/recorded-keys.js';
import { Unavailable } from '../writer/call.js';
import { IndexFeed } from '../read-models/index-feed.js';
import { eventHash, genesisHash } from '../proofs/hashing.js';
import { type FoldedState, SNAPSHOT_VERSION } from '../snapshots/snapshot.js';
import { ComparedIndex } from './compared-index.js';
import { MOST_RECHECKS, RECHECK_MS, snapshotDrift } from './drift.js';

/** Keys in memory while a page is checked, besides its own. */
const MOST_RINGS = 1_000;

/**
 * A stream folded from its beginning; each event is checked before it is applied: no gap, a matching hash, and sealed
 * fields that open with their keys.
 */
class CheckedStream implements StreamSource {
  private readonly genesis: Uint8Array;
  private last: Pick<FoldableEvent, 'hash'>;
  private checked = 0;
  /** Few, and soon forgotten: a key may be destroyed at any time. */
  private readonly rings = new Map<string, Keyring | null | 'unusable'>();
  private readonly missing = new Set<string>();

  constructor(
    private readonly drive_id: string,
    private readonly events: EventStore,
    private readonly keys: KeyVault,
    /** What is fed with the events; it may hold up their reading. */
    private readonly feed: IndexFeed | null,
  ) {
    this.genesis = genesisHash(drive_id);
    this.last = { hash: this.genesis };
  }

  /** Number of events checked. */
  get size(): number {
    return this.checked;
  }

  /** Hash of the last of them. */
  get last_hash(): Uint8Array {
    return this.last.hash;
  }

  /** Keys of sealed fields that are not there and were not erased by the events so far: these were not checked. */
  missingKeys({ subjects }: DriveState): readonly string[] {
    return [...this.missing].filter((key_id) => !subjects.isErased(key_id));
  }

  /** Complete events: hashes cover their metadata. */
  readFoldable(stream: string, from: number, limit: number): Promise<readonly StoredEvent[]> {
    return orBroken(this.drive_id, this.events.readStream(stream, from, 'forward', limit));
  }

  /** The same with hashes checked already. */
  async readPrepared(
    stream: string,
    from: number,
    limit: number,
    wanted: PreparedParts,
  ): Promise<FoldablePage | null> {
    const { genesis } = this;
    await this.feed?.paced();
    const parts = { ...wanted, genesis, ...(this.feed && { metadata: true }) };
    return (await this.events.readPrepared?.(stream, from, limit, parts)) ?? null;
  }

  /** Checks the next events. @throws BrokenStream at the first invalid one */
  async checkPage(page: FoldablePage): Promise<void> {
    if (this.rings.size > MOST_RINGS) this.rings.clear();
    for (const event of page) {
      if (event.revision !== this.checked)
        throw this.broken('it is missing or replaced by another event');
      if (isWhole(event) && !eventHash(this.last.hash, event).equals(event.hash))
        throw this.broken('its hash does not match its content');
      const flaw = await this.flawOfBoxes(event);
      if (flaw) throw this.broken(flaw);
      this.last = event;
      this.checked++;
    }
  }

  readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    return this.events.readStream(stream, from, direction, limit);
  }

  private async flawOfBoxes({ data }: FoldableEvent): Promise<string | null> {
    for (const box of boxesIn(data)) {
      let ring = this.rings.get(box.key_id);
      if (ring === undefined) this.rings.set(box.key_id, (ring = await this.ringOf(box.key_id)));
      if (ring === 'unusable') return `the stored key ${box.key_id} was not stored by this service`;
      try {
        ring?.open(box, '');
      } catch {
        return `its sealed fields do not open with the key ${box.key_id}`;
      }
    }
    return null;
  }

  /** A keyring with one key; null for a missing key: erased, or never imported. */
  private async ringOf(key_id: string): Promise<Keyring | null | 'unusable'> {
    try {
      const key = await this.keys.get(this.drive_id, key_id);
      if (!key) this.missing.add(key_id);
      return key ? new Keyring(this.drive_id, new Map([[key_id, key]])) : null;
    } catch (error) {
      if (!(error instanceof KeyDoesNotOpen)) throw error;
      return 'unusable';
    }
  }

  private broken(reason: string): BrokenStream {
    return new BrokenStream(this.drive_id, this.checked, reason);
  }
}

export interface Verification {
  readonly valid: boolean;
  /** Valid events, from the first on. */
  readonly checked_events: number;
  /** Lowest revision with a mismatch: of an event, of a snapshot, or of a document's record. */
  readonly first_bad_revision: number | null;
  /** A sentence about the first mismatch, null if there is none. */
  readonly reason: string | null;
  /** Documents and records of snapshots that differ from the fold, and 1 for an index of events that does; null if the stream could not be folded. */
  readonly drift_documents: number | null;
}

interface StreamInput {
  readonly drive_id: string;
  readonly events: EventStore;
  readonly side: Pick<SideStores, 'keys' | 'snapshots' | 'tiles'>;
  /** The index of events to compare; absent: none. */
  readonly index?: EventIndex;
  /** A digest that the stream must contain. */
  readonly digest?: Digest | undefined;
  /** The last acknowledged event, if known. */
  readonly head?: { readonly revision: number; readonly hash: Uint8Array };
  /** Maximum reads again of a drive in use whose store shows less than is known to be stored. */
  readonly most_rechecks?: number;
  readonly progress?: (checked_events: number) => void;
}

/** The findings about a stream and its snapshots, with the folded state. */
interface StreamVerdict {
  readonly checked: CheckedStream;
  readonly folded: FoldedState;
  readonly findings: Findings;
  /** True if the drive has no keys: sealed fields were not checked. */
  is_without_keys: boolean;
}

class Findings {
  is_folded = true;
  drift = 0;
  private readonly found: { revision: number | null; reason: string }[] = [];

  add(revision: number | null, reason: string): void {
    this.found.push({ revision, reason });
  }

  verification(checked_events: number): Verification {
    const revisions = this.found.flatMap(({ revision }) => revision ?? []);
    return {
      valid: this.found.length === 0,
      checked_events,
      first_bad_revision: revisions.length > 0 ? Math.min(...revisions) : null,
      reason: this.found[0]?.reason ?? null,
      drift_documents: this.is_folded ? this.drift : null,
    };
  }
}

/**
 * Reads a drive's stream from the store, event by event, and checks all related data against it: hashes, keys, a
 * digest, the writer's head, snapshots and tiles.
 */
export async function verifyStream(input: StreamInput): Promise<StreamVerdict> {
  const { drive_id, events, side, index, head, most_rechecks = MOST_RECHECKS } = input;
  const findings = new Findings();
  const losses = index?.losses;
  const compared = index && new ComparedIndex(index);
  const feed = compared ? new IndexFeed(compared, drive_id, null) : null;
  const checked = new CheckedStream(drive_id, events, side.keys, feed);
  const folded = emptyState(drive_id);
  const verdict = { checked, folded, findings, is_without_keys: false };
  // Before the stream: snapshots stored later are beyond its end.
  const snapshots = (await side.snapshots.list(drive_id))
    .filter(({ state_version }) => state_version === SNAPSHOT_VERSION)
    .map(({ revision }) => revision);
  const tile = await side.tiles.last(drive_id, 0);
  let missing_tile = -1;
  // The index of a served drive may be ahead of the head that is verified.
  const indexed = head ? null : await index?.position(drive_id);
  let missing_indexed = -1;
  const fold = async (to: number): Promise<boolean> => {
    const progress = (): void => input.progress?.(checked.size);
    await foldOnto(folded, checked, {
      ...{ to, progress },
      ...(feed && { touched: (keys, event) => feed.note(keys, event) }),
    });
    return folded.state.revision >= to;
  };
  // A digest is the caller's, and may name any revision.
  const stored_to = head ? Math.max(head.revision, tile?.revision ?? -1, ...snapshots) : -1;
  let rechecks = 0;
  /** Looks again as long as an event is known to be stored: the server of a drive in use may be behind. */
  const awaitEvent = async (revision: number, isThere: () => Promise<boolean>) => {
    for (; !(await isThere()); rechecks++) {
      if (revision > stored_to || rechecks >= most_rechecks) return false;
      await pause(RECHECK_MS);
    }
    return true;
  };
  const flaw = input.digest && problemOf(input.digest, drive_id);
  if (flaw) findings.add(null, flaw);
  // What nobody signed says nothing about the stream.
  const digest = flaw ? undefined : input.digest;
  const stops = [...snapshots, digest?.revision ?? -1, head?.revision ?? -1];
  try {
    for (const stop of [...new Set(stops)].filter((at) => at >= 0).sort((a, b) => a - b)) {
      if (!(await awaitEvent(stop, () => fold(stop)))) break;
      if (digest?.revision === stop) await checkDigest(digest, verdict);
      if (head?.revision === stop && !isSame(checked.last_hash, head.hash))
        findings.add(stop, `Revision ${stop} is not the acknowledged event.`);
      if (snapshots.includes(stop)) await checkSnapshot(input, stop, verdict);
    }
    // The read model of a served drive is at the head; later events are checked afterwards.
    if (!head) {
      await fold(Infinity);
      await checkKeys(input, verdict);
    }
    await feed?.end();
    // What was compared after that was an empty index.
    if (index && index.losses !== losses) throw new Unavailable('store-failed');
    // Other processes may have stored it after the head was known: then the store has its last event.
    if (tile && tile.revision >= checked.size) {
      const read = () => events.readStream(streamOf(drive_id), tile.revision, 'forward', 1);
      await awaitEvent(tile.revision, async () => (await orBroken(drive_id, read())).length > 0);
      if (!(await orBroken(drive_id, hasEvent(events, drive_id, tile))))
        missing_tile = tile.revision;
    }
    if (indexed && indexed.revision >= checked.size)
      if (!(await orBroken(drive_id, hasEvent(events, drive_id, indexed))))
        missing_indexed = indexed.revision;
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
    findings.is_folded = false;
    findings.add(error.revision, `Revision ${error.revision}: ${error.reason}.`);
    return verdict;
  }
  const different = compared?.first_difference ?? null;
  if (different !== null) {
    findings.drift++;
    findings.add(
      different,
      `The index of events, which finds those of histories, has event ${different} otherwise; reindex rebuilds it.`,
    );
  }
  const known: readonly [string, number | undefined][] = [
    ['was acknowledged', head?.revision],
    ['the digest names', digest?.revision],
    ['a snapshot was made of', snapshots.at(-1)],
    ['the log’s tiles cover', missing_tile],
    ['the index of events covers', missing_indexed],
  ];
  for (const [how, revision = -1] of known)
    if (revision >= checked.size)
      findings.add(checked.size, `The stream ends before revision ${revision}, which ${how}.`);
  return verdict;
}

function problemOf(digest: Digest, drive_id: string): string | null {
  const flaw = flawOfDigest(digest);
  if (flaw) return `The digest is invalid: ${flaw}.`;
  return digest.drive_id === drive_id ? null : 'The digest is of another organization.';
}

async function checkDigest(
  digest: Digest,
  { checked, folded, findings }: StreamVerdict,
): Promise<void> {
  await folded.hash.hashInTurns();
  const { revision, chain_hash, log_root, state_hash, state_version } = digest;
  const found = {
    chain_hash: Buffer.from(checked.last_hash).toString('hex'),
    log_root: folded.frontier.root().toString('hex'),
    state_hash: state_hash && state_version === STATE_VERSION ? folded.hash.root() : state_hash,
  };
  for (const [name, expected] of Object.entries({ chain_hash, log_root, state_hash }))
    if (found[name as keyof typeof found] !== expected) {
      findings.add(revision, `The stream no longer has the ${name} of the digest.`);
      return;
    }
}

/** A key whose person is erased is destroyed after the event, so a missing one can be told apart at the stream's end. */
async function checkKeys({ drive_id, side }: StreamInput, verdict: StreamVerdict): Promise<void> {
  const missing = verdict.checked.missingKeys(verdict.folded.state);
  if (missing.length === 0) return;
  verdict.is_without_keys = !(await side.keys.get(drive_id, DRIVE_KEY_ID));
  if (!verdict.is_without_keys) verdict.findings.add(null, missingKeysText(missing.length));
}

async function checkSnapshot(
  { drive_id, events, side }: StreamInput,
  revision: number,
  { checked, folded, findings }: StreamVerdict,
): Promise<void> {
  await orBroken(drive_id, folded.keys.readTo(events, streamOf(drive_id), folded.state));
  const snapshot = await side.snapshots.latest(drive_id, SNAPSHOT_VERSION, revision);
  // It may have been deleted meanwhile.
  if (snapshot?.revision !== revision) return;
  const told = `The snapshot of revision ${revision}`;
  if (!isSame(checked.last_hash, snapshot.event_hash)) {
    findings.drift++;
    findings.add(revision, `${told} is of a diverging history.`);
    return;
  }
  const drift = await snapshotDrift(drive_id, snapshot.body, folded);
  if (drift === 0) return;
  findings.drift += drift ?? 1;
  findings.add(
    revision,
    drift === null ? `${told} cannot be read.` : `${told} differs from the fold.`,
  );
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}
