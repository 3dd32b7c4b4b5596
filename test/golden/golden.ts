import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_VERSION } from '../../libs/domain/drive/state.js';
import { Box } from '../../libs/domain/kernel/sealed.js';
import { canonicalJson, eventHash, genesisHash, sha256Hex } from '../../libs/engine/proofs/hashing.js';
import { applyEvent, emptyState } from '../../libs/engine/fold/fold.js';
import { Keyring } from '../../libs/engine/keys/keyring.js';
import type { FoldedState } from '../../libs/engine/snapshots/snapshot.js';
import { hashedForm } from '../../libs/engine/proofs/state-hash.js';
import type { StoredEvent } from '../../libs/event-store/port.js';

/** A stored event without its place in a store. */
type GoldenEvent = Omit<StoredEvent, 'stream' | 'position'>;

/** A stream as some release stored it, with its data keys. */
export interface Golden {
  readonly drive_id: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly events: readonly GoldenEvent[];
}

/** What it must fold to. */
export interface Expected {
  readonly state_version: number;
  readonly state_hash: string;
  readonly chain_hash: string;
  readonly log_root: string;
  /** By family and id, so that a red test tells which record has changed. */
  readonly record_hashes: Record<string, string>;
  /** Texts of all sealed fields, by family, id and name. */
  readonly opened: Record<string, unknown>;
  readonly retired_ids: string[];
}

interface StoredLine extends Omit<GoldenEvent, 'hash'> {
  readonly hash: string;
}

/** All streams of a golden folder, with what they must fold to. */
export function readGoldens(folder: string): { golden: Golden; expected: Expected }[] {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ndjson'))
    .map((file) => {
      const drive_id = file.slice(0, -'.ndjson'.length);
      const keys = JSON.parse(read(`${drive_id}.keys.json`)) as Record<string, string>;
      const events = read(file)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as StoredLine)
        .map((event) => ({ ...event, hash: Buffer.from(event.hash, 'hex') }));
      const bytes = Object.entries(keys).map(
        ([key_id, key]) => [key_id, Buffer.from(key, 'hex')] as const,
      );
      return {
        golden: { drive_id, keys: new Map(bytes), events },
        expected: JSON.parse(read(`${drive_id}.expected.json`)) as Expected,
      };
    });
}

/** Folds a golden stream as the service does. */
export function foldGolden({ drive_id, events }: Golden): FoldedState {
  const folded = emptyState(drive_id);
  for (const event of events) applyEvent(folded.state, event);
  folded.frontier = folded.frontier.append(events.map(({ hash }) => hash));
  folded.state.undo_log.forget();
  return folded;
}

/** What a fold gives, in the form in which it is kept. */
export function expectedOf(folded: FoldedState, { drive_id, keys, events }: Golden): Expected {
  const keyring = new Keyring(drive_id, keys);
  const record_hashes: Record<string, string> = {};
  const opened: Record<string, unknown> = {};
  for (const table of folded.state.tables) {
    const { definition } = table;
    for (const record of table.values()) {
      const name = `${definition.name} ${nameOf(record.id, events)}`;
      record_hashes[name] = sha256Hex(canonicalJson(hashedForm(definition, record)));
      for (const [field, value] of Object.entries(record))
        if (value instanceof Box) opened[`${name} ${field}`] = keyring.open<unknown>(value, field);
    }
  }
  let chain: Uint8Array = genesisHash(drive_id);
  for (const event of events) chain = eventHash(chain, event);
  return {
    state_version: STATE_VERSION,
    state_hash: folded.hash.root(),
    chain_hash: Buffer.from(chain).toString('hex'),
    log_root: Buffer.from(folded.frontier.root()).toString('hex'),
    record_hashes,
    opened,
    retired_ids: [...folded.state.undo_log.retiredIds()].sort(),
  };
}

/** Superswaps are called by their event; its revision says more to a reader. */
function nameOf(id: string, events: readonly GoldenEvent[]): string {
  const event = events.find(({ event_id }) => event_id === id);
  return event ? `of revision ${event.revision}` : id;
}
