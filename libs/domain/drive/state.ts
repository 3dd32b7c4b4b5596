import type { RecordBase } from '../kernel/record.js';
import type { DriveState } from '../foundation/state.js';
import { apiKeyFamily } from '../api-keys/record.js';
import { bookmarkFamily } from '../bookmarks/record.js';
import { contactFamily } from '../contacts/record.js';
import { Subjects } from '../foundation/subjects.js';
import { fileFamily, fileVersionFamily } from '../directory/record.js';
import { diskFamily, folderFamily } from '../disks/record.js';
import { spawnedDriveFamily } from '../factory/record.js';
import { giftcardFamily } from '../giftcards/record.js';
import { groupFamily, inviteFamily } from '../groups/record.js';
import { RECORD_FAMILIES, recordFamily } from './record-families.js';
import { Journal } from '../kernel/journal.js';
import { Table } from '../kernel/table.js';
import { knownDriveFamily } from '../known-drives/record.js';
import { labelFamily } from '../labels/record.js';
import {
  organizationFamily,
  type Organization,
  shortlinkFamily,
  superswapFamily,
} from '../organization/record.js';
import { directoryPermissionFamily, systemPermissionFamily } from '../permissions/record.js';
import { purchaseFamily } from '../purchases/record.js';
import { webhookFamily } from '../webhooks/record.js';

/** Goes up when a release changes records or hashing so that old points hash differently. */
export const STATE_VERSION = 1;

/** Records that are indexed quickly. */
const FEW_RECORDS = 5_000;

/** The state of no events. */
export function newDriveState(drive_id: string): DriveState {
  return new TablesOfFamilies(drive_id);
}

class TablesOfFamilies implements DriveState {
  readonly journal = new Journal(() => this.tables);
  /** Time of the last event, ms. */
  timestamp_ms = 0;
  /** Types of events met that this release does not know; such a drive is closed to commands. */
  readonly unknown_events = new Set<string>();
  /** Keys of deleted and of erased people. */
  readonly subjects = new Subjects(this.journal);

  readonly organizations = new Table(organizationFamily, this.journal);
  readonly contacts = new Table(contactFamily, this.journal);
  readonly groups = new Table(groupFamily, this.journal);
  readonly invites = new Table(inviteFamily, this.journal);
  readonly disks = new Table(diskFamily, this.journal);
  readonly folders = new Table(folderFamily, this.journal);
  readonly files = new Table(fileFamily, this.journal);
  readonly file_versions = new Table(fileVersionFamily, this.journal);
  readonly directory_permissions = new Table(directoryPermissionFamily, this.journal);
  readonly system_permissions = new Table(systemPermissionFamily, this.journal);
  readonly api_keys = new Table(apiKeyFamily, this.journal);
  readonly webhooks = new Table(webhookFamily, this.journal);
  readonly labels = new Table(labelFamily, this.journal);
  readonly purchases = new Table(purchaseFamily, this.journal);
  readonly drives = new Table(knownDriveFamily, this.journal);
  readonly shortlinks = new Table(shortlinkFamily, this.journal);
  readonly superswaps = new Table(superswapFamily, this.journal);
  readonly bookmarks = new Table(bookmarkFamily, this.journal);
  readonly spawned_drives = new Table(spawnedDriveFamily, this.journal);
  readonly giftcards = new Table(giftcardFamily, this.journal);

  /** All tables, in the order of hashing, snapshots and counts. */
  readonly tables: readonly Table<RecordBase>[] = [
    this.organizations,
    this.contacts,
    this.groups,
    this.invites,
    this.disks,
    this.folders,
    this.files,
    this.file_versions,
    this.directory_permissions,
    this.system_permissions,
    this.api_keys,
    this.webhooks,
    this.labels,
    this.purchases,
    this.drives,
    this.shortlinks,
    this.superswaps,
    this.bookmarks,
    this.spawned_drives,
    this.giftcards,
  ] as unknown as readonly Table<RecordBase>[];

  readonly record_families = RECORD_FAMILIES;
  readonly recordFamily = recordFamily;

  private readonly by_family = new Map(
    this.tables.map((table) => [table.definition.name, table] as const),
  );

  constructor(readonly drive_id: string) {}

  /** Makes an empty state the same as another, to be folded on apart, in small steps; records are values and shared. */
  *fillFrom(other: DriveState): Generator<void> {
    this.journal.revision = other.revision;
    this.timestamp_ms = other.timestamp_ms;
    for (const type of other.unknown_events) this.unknown_events.add(type);
    this.journal.retireAsIn(other.journal);
    this.subjects.restore(other.subjects.toJSON());
    for (const [at, table] of this.tables.entries()) yield* table.fillFrom(other.tables[at]!);
  }

  /**
   * Makes beforehand, in small steps, what else the first who asks would wait for: indexes of large tables, and what
   * is told of many records together. Nothing may change meanwhile.
   * @param deciding true: also what only commands ask for
   */
  *indexing(deciding: boolean): Generator<void> {
    for (const table of this.tables) if (table.size > FEW_RECORDS) yield* table.indexing();
    if (this.tables.reduce((sum, { size }) => sum + size, 0) <= FEW_RECORDS) return;
    yield* this.journal.finding();
    if (deciding) yield* this.journal.counting();
  }

  /** Revision of the last event folded in; -1 before the first. */
  get revision(): number {
    return this.journal.revision;
  }

  /** The organization's record. Every spawned drive has one from its first event on. */
  get organization(): Organization {
    const organization = this.organizations.get(this.drive_id);
    if (!organization) throw new Error(`drive ${this.drive_id} has no organization record`);
    return organization;
  }

  /** How many records it holds, former versions of files included. */
  get record_count(): number {
    return this.tables.reduce((count, { size }) => count + size, 0);
  }

  /** The table of a family by its API name, undefined for an unknown one. */
  table(family: string): Table<RecordBase> | undefined {
    return this.by_family.get(family);
  }

  /** True if a new record may not take this id: it is used, or was by a deleted record. */
  isUsed(table: { has(id: string): boolean }, id: string): boolean {
    return table.has(id) || this.journal.isRetired(id);
  }
}
