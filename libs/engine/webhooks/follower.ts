import { personOf } from '../../domain/contacts/person.js';
import type { ContactEvents } from '../../domain/contacts/events.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { Box, ERASED, type Opener, type Sealed } from '../../domain/kernel/sealed.js';
import { type Listeners, watchEvent } from '../../domain/webhooks/occurring/matching.js';
import type { StoredEvent } from '../../event-store/port.js';
import type { ReactorPosition } from '../../event-store/stores.js';
import { decodeData, erasedKeysOf } from '../keys/codec.js';
import type { Drives } from '../drives/drives.js';
import { learnKeys } from '../keys/learn-keys.js';
import { genesisHash } from '../proofs/hashing.js';
import { applyingEvent, BrokenStream, emptyState, streamOf } from '../fold/fold.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { inTurns } from '../tasks/turns.js';
import type { Drive } from '../writer/drive.js';
import { type CausedMatch, nobodysContext } from './deliveries.js';

/** Events processed between two yields to the event loop. */
const PAGE = 250;
/** Matches after which a page ends early: those of one page are in memory and written together. */
const MOST_FOUND = 500;

/** The record of an event for callers. */
export type DescribeEvent = (event: StoredEvent, touched: readonly TouchedKey[]) => object;

/** The matches of a page of events. */
interface Met {
  readonly found: readonly CausedMatch[];
  /** All ids of erased people. */
  readonly erased: readonly string[];
}

/** The stream no longer holds the event at the stored position. */
export class Rewound extends Error {
  override readonly name = 'Rewound';
}

/**
 * Folds a drive's events one by one on its own state and computes the webhook matches of each, with the states just
 * before and just after every event.
 */
export class WebhookFollower {
  private constructor(
    private readonly drives: Drives,
    readonly folded: FoldedState,
    /** Hash of the last folded event. */
    private hash: Uint8Array,
  ) {}

  /** A follower positioned just after an event. @throws Rewound | BrokenStream */
  static async at(drives: Drives, position: ReactorPosition): Promise<WebhookFollower> {
    const { drive_id, revision, event_hash } = position;
    const follower = await WebhookFollower.after(drives, drive_id, revision);
    if (!Buffer.from(follower.hash).equals(event_hash))
      throw new Rewound(`revision ${revision} is not the event it was`);
    return follower;
  }

  /** A follower positioned just after a revision, whatever its event. @throws Rewound | BrokenStream */
  static async after(drives: Drives, drive_id: string, revision: number): Promise<WebhookFollower> {
    if (revision < 0)
      return new WebhookFollower(drives, emptyState(drive_id), genesisHash(drive_id));
    const { folded, last_event } = await drives.loader.load(drive_id, { to: revision });
    if (!last_event || folded.state.revision !== revision)
      throw new Rewound(`the stream ends before revision ${revision}`);
    await inTurns(folded.state.indexing(false));
    return new WebhookFollower(drives, folded, last_event.hash);
  }

  get state() {
    return this.folded.state;
  }

  get position(): ReactorPosition {
    const { drive_id, revision } = this.state;
    return { drive_id, revision, event_hash: this.hash };
  }

  /**
   * Folds the next page, at most up to a revision; null at the end. The page may be ahead of the drive, which then learns
   * the keys of new people from it. Shows nothing of people whom an event of the page
   * erases: the process may not have forgotten their keys yet. After a failure the follower is unusable.
   */
  async next(
    drive: Drive,
    describe: DescribeEvent,
    listeners: Listeners,
    to = Infinity,
  ): Promise<Met | null> {
    const { drives, state } = this;
    const { drive_id, undo_log } = state;
    const limit = Math.min(PAGE, to - state.revision);
    if (limit <= 0) return null;
    const stream = streamOf(drive_id);
    const page = await drives.events.readStream(stream, state.revision + 1, 'forward', limit);
    if (page.length === 0) return null;
    const ahead = page.filter(({ revision }) => revision > drive.head.revision);
    if (ahead.length > 0) await learnKeys(drives.side.keys, drive_id, drive.keyring, ahead);
    const { open } = drive.keyring;
    const found: CausedMatch[] = [];
    const erased: string[] = [];
    const hidden = new Set(page.flatMap(erasedKeysOf));
    const shown: Opener = <T>(value: Sealed<T>, field: string): T =>
      value instanceof Box && hidden.has(value.key_id) ? (ERASED as T) : open(value, field);
    for (const event of page) {
      if (event.revision !== state.revision + 1)
        throw new BrokenStream(drive_id, state.revision + 1, 'events are missing');
      const context = nobodysContext(state, event.timestamp_ms, shown, drives.settings);
      const { type } = event;
      const data = decodeData(event.data);
      const after = watchEvent(context, { type, data }, listeners);
      if (type === 'ContactErased') {
        const { contact_id } = data as ContactEvents['ContactErased'];
        erased.push(contact_id, ...(personOf(state, contact_id)?.user_ids ?? []));
      }
      undo_log.forget();
      const steps = applyingEvent(state, event);
      if (steps) await inTurns(steps);
      const diff = describe(event, undo_log.touchedSince(0));
      const { revision, timestamp_ms } = event;
      const cause = { key: Buffer.from(event.hash).toString('hex'), revision, timestamp_ms };
      for (const match of after(diff)) found.push({ match, cause });
      this.hash = event.hash;
      if (found.length >= MOST_FOUND) break;
    }
    undo_log.forget();
    return { found, erased };
  }
}
