import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { type Collection, MongoServerError } from 'mongodb';

import { DUPLICATE_KEY } from '../../mongodb/insert.js';
import type { Checkpoint, StreamPlace } from '../port.js';

/** A generation that is filled. */
export interface KeptGeneration {
  readonly generation: string;
  /**
   * Name of the filling, part of its documents' ids. Two fillings never share documents, whatever their
   * generation is called, so one that was replaced or forgotten cannot be written into by a late writer.
   */
  readonly build: string;
  readonly revision: number;
  /** Hash of the event at that revision, in hex. */
  readonly event_hash: string;
  /** Names the key that its fingerprints are made with. */
  readonly key_name: string;
  /** Revision of the last step that touched a family; absent: none since the filling. */
  readonly touched: Readonly<Record<string, number>>;
}

/** A filling on its way, announced before its first document is written. */
export interface Filling {
  readonly build: string;
  readonly begun_at_ms: number;
}

export interface DriveGenerations {
  readonly active: string | null;
  readonly generations: readonly KeptGeneration[];
  readonly fillings: readonly Filling[];
}

/** One document per drive: its generations, which one is active and where each stands. */
export interface StoredCheckpoint extends DriveGenerations {
  /** The drive. */
  readonly _id: string;
  /** New with every change, and never again: a change rests on the one it has read. */
  readonly stamp: string;
}

/** What was read of a drive; without a stamp if nothing is kept of it. */
export type Kept = DriveGenerations & Partial<Pick<StoredCheckpoint, 'stamp'>>;

const NO_GENERATIONS: Kept = { active: null, generations: [], fillings: [] };

/** A change that loses against others is tried again this often; that many at one time means a fault. */
const MOST_ATTEMPTS = 100;
const MOST_PAUSE_MS = 10;

/** Drives of which the last checkpoint read is remembered. */
const REMEMBERED_DRIVES = 10_000;

export class Checkpoints {
  /** What a majority held of drives when this process asked last, the least recently asked first. */
  private readonly remembered = new Map<string, Kept>();

  /** @param key_name generations whose fingerprints were made with another key are not there */
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
   * Changes what is kept of a drive, atomically. `change` is asked again when somebody else came first;
   * null refuses, its own argument leaves everything as it is. False if it refused.
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
    throw new Error(`the checkpoint of ${drive_id} changes all the time`);
  }

  /** Spares reading where nobody else came first. Only a change that is made proves that what is remembered still holds. */
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
      // Perhaps only of what was: it is asked again of what is.
      return false;
    }
    if (next === null || next === kept) return false;
    if (await this.replace(drive_id, kept.stamp, next)) return true;
    this.remembered.delete(drive_id);
    return false;
  }

  /** What the primary holds, before a majority has it: a change only holds if that does. */
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

  /** False if the document is no longer the one with the stamp. */
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

/** Where a generation stands, as the port tells it. */
export function checkpointOf({ generation, revision, event_hash }: KeptGeneration): Checkpoint {
  return { generation, revision, event_hash: Buffer.from(event_hash, 'hex') };
}

/** How a place is kept. */
export function keptPlace({ revision, event_hash }: StreamPlace) {
  return { revision, event_hash: Buffer.from(event_hash).toString('hex') };
}

/** A name that nothing else has or will have. */
export function newName(): string {
  return randomBytes(12).toString('base64url');
}

function activeOf(kept: Kept): KeptGeneration | undefined {
  return kept.active === null ? undefined : generationNamed(kept, kept.active);
}

export function generationNamed(
  { generations }: Pick<DriveGenerations, 'generations'>,
  generation: string,
): KeptGeneration | undefined {
  return generations.find((one) => one.generation === generation);
}

/** Everything whose documents are somebody's. */
export function knownBuilds({ generations, fillings }: DriveGenerations): ReadonlySet<string> {
  return new Set([...generations, ...fillings].map(({ build }) => build));
}
