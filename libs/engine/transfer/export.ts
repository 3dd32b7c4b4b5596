import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '../../event-store/port.js';
import type { KeyVault } from '../../event-store/stores.js';
import { erasedKeysOf } from '../keys/codec.js';
import { BrokenChain, ChainChecker } from '../../proofs/chain.js';
import type { StreamPart } from '../../proofs/stream-file.js';
import {
  BrokenStream,
  emptyState,
  FACTORY_ID,
  foldOnto,
  orBroken,
  streamOf,
} from '../fold/fold.js';
import { type Damage, damageOf } from '../following/stream-damage.js';

/** Events per read. */
const PAGE = 500;

/** The streams of an export and their lengths, fixed at its beginning: the stores may be in use. */
interface ExportPlan {
  readonly export_id: string;
  /** The factory's stream, if included, comes last: it names the others. */
  readonly streams: readonly { readonly drive_id: string; readonly events: number }[];
  /** Drives that cannot be exported. If there are any, the factory's stream is omitted, since it names them. */
  readonly left_out: readonly Damage[];
}

interface PlanOptions {
  /** Only these drives. */
  readonly drive_ids?: readonly string[] | undefined;
  /** Only events up to this revision; requires exactly one drive; for a stream that is damaged later on. */
  readonly to?: number | undefined;
}

/** A requested drive cannot be exported. */
export class NotExportable extends Error {
  override readonly name = 'NotExportable';
}

/**
 * Plans an export of selected drives, or of all that the factory names together with the factory's stream (gift
 * cards, names of drives). A drive under import is omitted, as it is incomplete; so is a damaged drive, unless it was
 * requested by name.
 * @throws NotExportable, BrokenStream
 */
export async function planExport(
  events: EventStore,
  { drive_ids, to }: PlanOptions = {},
): Promise<ExportPlan> {
  const factory = emptyState(FACTORY_ID);
  await orBroken(FACTORY_ID, foldOnto(factory, events, { to: Infinity }));
  const { spawned_drives, revision } = factory.state;
  for (const drive_id of drive_ids ?? []) {
    const named = spawned_drives.get(drive_id);
    if (!named) throw new NotExportable(`There is no organization ${drive_id}.`);
    if (named.importing) throw new NotExportable(`${drive_id} is being imported; end that first.`);
  }
  const wanted =
    drive_ids ?? [...spawned_drives.values()].flatMap((one) => (one.importing ? [] : one.id));
  if (to !== undefined && wanted.length !== 1)
    throw new NotExportable('The last revision needs exactly one organization.');
  const streams: { drive_id: string; events: number }[] = [];
  const left_out: Damage[] = [];
  for (const drive_id of new Set(wanted)) {
    if (to !== undefined) {
      // Not by the head: an event of others may be there, and what is before it can be exported.
      const [last] = await events.readStream(streamOf(drive_id), to, 'forward', 1);
      if (!last) throw new NotExportable(`${drive_id} has no revision ${to}.`);
      streams.push({ drive_id, events: to + 1 });
      continue;
    }
    const damage = await damageOf(events, drive_id);
    if (damage && damage.kind !== 'limited') {
      left_out.push(damage);
      continue;
    }
    const head = await events.head(streamOf(drive_id));
    if (!head) throw new BrokenStream(drive_id, 0, 'it is named, but has no events');
    streams.push({ drive_id, events: head.revision + 1 });
  }
  if (drive_ids && left_out.length > 0)
    throw new NotExportable(left_out.map(({ says }) => says).join('\n'));
  if (!drive_ids && revision >= 0 && left_out.length === 0)
    streams.push({ drive_id: FACTORY_ID, events: revision + 1 });
  if (streams.length === 0) throw new NotExportable('There is nothing to export.');
  return { export_id: randomUUID(), streams, left_out };
}

interface ExportOptions {
  /** Milliseconds since epoch. */
  readonly now: number;
  /** Called with the number of events read. */
  readonly progress?: (events: number) => void;
  /** Ends the export with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called before a stream ends, with the keys of people erased in it. */
  readonly erased?: (drive_id: string, key_ids: ReadonlySet<string>) => Promise<void>;
}

/**
 * The parts of an export, with every event checked.
 * @throws BrokenStream at the first mismatching event
 */
export async function* exportedParts(
  events: EventStore,
  { export_id, streams }: ExportPlan,
  { now, progress, signal, erased }: ExportOptions,
): AsyncGenerator<StreamPart> {
  let done = 0;
  for (const [at, { drive_id, events: size }] of streams.entries()) {
    const place = { export_id, stream: at + 1, streams: streams.length };
    const header = { ...place, drive_id, events: size, exported_ms: now };
    yield { kind: 'header', header };
    const checker = new ChainChecker(drive_id);
    const forgotten = new Set<string>();
    while (checker.size < size) {
      signal?.throwIfAborted();
      const limit = Math.min(PAGE, size - checker.size);
      const page = await events.readStream(streamOf(drive_id), checker.size, 'forward', limit);
      if (page.length === 0) throw new BrokenStream(drive_id, checker.size, 'it is missing');
      for (const event of page) {
        try {
          checker.add(event);
        } catch (error) {
          if (!(error instanceof BrokenChain)) throw error;
          throw new BrokenStream(drive_id, error.revision, error.reason);
        }
        for (const key_id of erasedKeysOf(event)) forgotten.add(key_id);
        yield { kind: 'event', event };
      }
      progress?.((done += page.length));
      await nextTurn();
    }
    await erased?.(drive_id, forgotten);
    const [chain_hash, log_root] = [checker.chain_hash, checker.log_root].map((hash) =>
      hash.toString('hex'),
    ) as [string, string];
    yield { kind: 'end', end: { drive_id, events: size, chain_hash, log_root } };
  }
}

/** The live keys of a drive, without those of people who were erased. */
export async function exportedKeys(
  vault: KeyVault,
  drive_id: string,
  erased: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const live = await vault.all(drive_id);
  // A crash may have left a key after its erasure.
  return new Map([...live].filter(([key_id]) => !erased.has(key_id)));
}
