import type { RecordBase } from '../kernel/record.js';
import type { UndoLog } from '../kernel/undo-log.js';
import type { Table } from '../kernel/table.js';
import type { Subjects } from './subjects.js';

/** Records by the name of their table; each family adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Records {}

export type Tables = { readonly [Name in keyof Records]: Table<Records[Name]> };

/**
 * The folded state of a drive's stream: one table of records per family. Nothing in it depends on the clock. The
 * factory's stream folds to the same type, with records in `spawned_drives` and `giftcards`.
 */
export interface DriveState extends Tables {
  readonly drive_id: string;
  readonly undo_log: UndoLog;
  /** Time of the last event, ms. */
  timestamp_ms: number;
  /** Event types in the stream that this release does not know. A drive with any accepts no commands. */
  readonly unknown_events: Set<string>;
  /** Keys of deleted contacts and erased subjects. */
  readonly subjects: Subjects;
  /** All tables, in the order of hashing, snapshots and counts. */
  readonly tables: readonly Table<RecordBase>[];
  /** Revision of the last event folded in; -1 before the first. */
  readonly revision: number;
  /** The organization's record. Every spawned drive has one from its first event on. */
  readonly organization: Records['organizations'];
  /** Number of records, including former versions of files. */
  readonly record_count: number;
  /**
   * Builds the indexes of large tables, and aggregates over many records, in small steps before their first use. The
   * state must not change meanwhile.
   * @param deciding true: also those that only commands use
   */
  indexing(deciding: boolean): Generator<void>;
  /** The table of a family by its API name, undefined for an unknown one. */
  table(family: string): Table<RecordBase> | undefined;
  /** True if the id is in use, or was used by a deleted record. */
  isUsed(table: { has(id: string): boolean }, id: string): boolean;
}
