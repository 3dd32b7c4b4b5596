import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { type Collection, MongoServerError } from 'mongodb';

import { DUPLICATE_KEY } from '../../mongodb/put.js';
import type { Checkpoint, StreamPlace } from '../port.js';

/** A completely filled generation. */
export interface KeptGeneration {
  readonly generation: string;
  /**
   * Unique name of the filling, part of its documents' ids. Fillings never share documents, even of generations with
   * the same name, so late writes to a replaced or removed one have no effect.
   */
  readonly build: string;
  readonly revision: number;
  /** Hash of the event at that revision, in hex. */
  readonly event_hash: string;
  /** Names the key of its fingerprints. */
  readonly key_name: string;
  /** Revision of the last step that touched a family; absent: none since the filling. */
  readonly touched: Readonly<Record<string, number>>;
}

/** A filling in progress, registered before its first document is written. */
interface Filling {
  readonly build: string;
  readonly generation: string;
}

export interface DriveGenerations {
  readonly active: string | null;
  readonly generations: readonly KeptGeneration[];
  readonly fillings: readonly Filling[];
}

/** One document per drive: its generations with their checkpoints, and the active one. */
export interface StoredCheckpoint extends DriveGenerations {
  /** The drive. */
  readonly _id: string;
  /** Unique per change: a change is conditional on the stamp that it has read. */
  readonly stamp: string;
}

/** The stored row of a drive; without a stamp if there is none. */
type Kept = DriveGenerations & Partial<Pick<StoredCheckpoint, 'stamp'>>;

const NO_GENERATIONS: Kept = { active: null, generations: [], fillings: [] };

/** Maximum retries of a conflicting change; more conflicts indicate a fault. */
const MOST_ATTEMPTS = 100;
const MOST_PAUSE_MS = 10;

/** Maximum drives with a cached checkpoint. */
const REMEMBERED_DRIVES = 10_000;

export class Checkpoints {
  /** Majority-committed rows of drives at this process's last read, least recently used first. */
  private readonly remembered = new Map<string, Kept>();

  /** @param key_name generations with fingerprints of another key are ignored */
  constructor(
    private readonly collection: Collection<StoredCheckpoint>,
    private readonly key_name: string,
  ) {}

  async read(drive_id: string): Promise<Kept> {
    const found = await this.collection.findOne({ _id: drive_id });
    return this.remember(drive_id, this.usable(found));
  }

  /**
   * The drive's row as this process knew it last; it may be outdated. Callers that use it check afterwards whether
   * it still holds.
   */
  last(drive_id: string): Kept | undefined {
    return this.remembered.get(drive_id);
  }

  /** The active generation as of `last`. */
  lastActive(drive_id: string): KeptGeneration | undefined {
    return activeOf(this.last(drive_id) ?? NO_GENERATIONS);
  }

  /** The active generation, undefined if the drive has none. */
  async active(drive_id: string): Promise<KeptGeneration | undefined> {
    return activeOf(await this.read(drive_id));
  }

  /**
   * Changes a drive's row atomically. `change` is called again after a conflict; null refuses, and returning its
   * argument changes nothing. False if it refused.
   */
  async change(
    drive_id: string,
    change: (kept: DriveGenerations) => DriveGenerations | null,
  ): Promise<boolean> {
    if (await this.changeRemembered(drive_id, change)) return true;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await pause(Math.random() * MOST_PAUSE_MS);
      const kept = await this.newest(drive_id);
      const next = change(kept);
      if (next === null) return false;
      if (next === kept || (await this.replace(drive_id, kept.stamp, next))) return true;
    }
    throw new Error(`the checkpoint of ${drive_id} changes continuously`);
  }

  /**
   * Saves a read if there was no concurrent change. Only a completed change proves that the cached row is current.
   */
  private async changeRemembered(
    drive_id: string,
    change: (kept: DriveGenerations) => DriveGenerations | null,
  ): Promise<boolean> {
    const kept = this.last(drive_id);
    if (kept === undefined) return false;
    let next: DriveGenerations | null;
    try {
      next = change(kept);
    } catch {
      // The refusal may be due to an outdated row: it is repeated on the current one.
      return false;
    }
    if (next === null || next === kept) return false;
    if (await this.replace(drive_id, kept.stamp, next)) return true;
    this.remembered.delete(drive_id);
    return false;
  }

  /** The primary's data, before a majority has it: a change only holds if that does. */
  private async newest(drive_id: string): Promise<Kept> {
    const found = await this.collection.findOne(
      { _id: drive_id },
      { readConcern: { level: 'local' } },
    );
    return this.usable(found);
  }

  private usable(found: StoredCheckpoint | null): Kept {
    if (found === null) return NO_GENERATIONS;
    const generations = found.generations.filter(({ key_name }) => key_name === this.key_name);
    if (generations.length === found.generations.length) return found;
    const { active } = found;
    const is_there = active !== null && generationNamed({ generations }, active) !== undefined;
    return { ...found, generations, active: is_there ? active : null };
  }

  async forget(drive_id: string): Promise<void> {
    this.remembered.delete(drive_id);
    await this.collection.deleteOne({ _id: drive_id });
  }

  private remember(drive_id: string, kept: Kept): Kept {
    const { remembered } = this;
    remembered.delete(drive_id);
    if (kept.stamp === undefined) return kept;
    if (remembered.size >= REMEMBERED_DRIVES) remembered.delete(remembered.keys().next().value!);
    remembered.set(drive_id, kept);
    return kept;
  }

  /** False if the document no longer has the stamp. */
  private async replace(
    drive_id: string,
    stamp: string | undefined,
    { active, generations, fillings }: DriveGenerations,
  ): Promise<boolean> {
    const next = { stamp: newName(), active, generations, fillings };
    if (stamp !== undefined) {
      const { matchedCount } = await this.collection.replaceOne({ _id: drive_id, stamp }, next);
      if (matchedCount === 1) this.remember(drive_id, next);
      return matchedCount === 1;
    }
    try {
      await this.collection.insertOne({ _id: drive_id, ...next });
      this.remember(drive_id, next);
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }
}

/** The checkpoint of a generation in the port's form. */
export function checkpointOf({ generation, revision, event_hash }: KeptGeneration): Checkpoint {
  return { generation, revision, event_hash: Buffer.from(event_hash, 'hex') };
}

/** The stored form of a position. */
export function keptPlace({ revision, event_hash }: StreamPlace) {
  return { revision, event_hash: Buffer.from(event_hash).toString('hex') };
}

/** A unique name. */
export function newName(): string {
  return randomBytes(12).toString('base64url');
}

export function activeOf(kept: DriveGenerations): KeptGeneration | undefined {
  return kept.active === null ? undefined : generationNamed(kept, kept.active);
}

export function generationNamed(
  { generations }: Pick<DriveGenerations, 'generations'>,
  generation: string,
): KeptGeneration | undefined {
  return generations.find((one) => one.generation === generation);
}

/** All builds that a generation or filling uses. */
export function knownBuilds({ generations, fillings }: DriveGenerations): ReadonlySet<string> {
  return new Set([...generations, ...fillings].map(({ build }) => build));
}
