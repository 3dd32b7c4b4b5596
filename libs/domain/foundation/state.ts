import type { RecordBase } from '../kernel/record.js';
import type { UndoLog } from '../kernel/undo-log.js';
import type { Table } from '../kernel/table.js';
import type { Subjects } from './subjects.js';

/** Records by the name of their table; each family adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Records {}

export type Tables = { readonly [Name in keyof Records]: Table<Records[Name]> };

/**
 * What a drive's stream folds to: one table of records per family and nothing that depends on the
 * clock. The factory's stream folds to the same shape, with `spawned_drives` and
 * `giftcards` filled.
 */
export interface DriveState extends Tables {
  readonly drive_id: string;
  readonly undo_log: UndoLog;
  /** Time of the last event, ms. */
  timestamp_ms: number;
  /** Types of events met that this release does not know; such a drive is closed to commands. */
  readonly unknown_events: Set<string>;
  /** Keys of deleted and of erased people. */
  readonly subjects: Subjects;
  /** All tables, in the order of hashing, snapshots and counts. */
  readonly tables: readonly Table<RecordBase>[];
  /** Revision of the last event folded in; -1 before the first. */
  readonly revision: number;
  /** The organization's record. Every spawned drive has one from its first event on. */
  readonly organization: Records['organizations'];
  /** How many records it holds, former versions of files included. */
  readonly record_count: number;
  /** Makes an empty state the same as another, to be folded on apart, in small steps; records are values and shared. */
  fillFrom(other: DriveState): Generator<void>;
  /**
   * Makes indexes of large tables, and what is known of many records together, in small steps before it is
   * asked for. Nothing may change meanwhile.
   * @param deciding true: also what only commands ask for
   */
  indexing(deciding: boolean): Generator<void>;
  /** The table of a family by its API name, undefined for an unknown one. */
  table(family: string): Table<RecordBase> | undefined;
  /** True if a new record may not take this id: it is used, or was by a deleted record. */
  isUsed(table: { has(id: string): boolean }, id: string): boolean;
}
