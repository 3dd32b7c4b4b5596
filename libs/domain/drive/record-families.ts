import type { RecordBase } from '../kernel/record.js';
import { apiKeyReads } from '../api-keys/reads.js';
import { contactReads } from '../contacts/reads.js';
import { diskReads } from '../disks/reads.js';
import { fileReads, folderReads } from '../directory/reads.js';
import { inviteReads } from '../groups/invites-reads.js';
import { groupReads } from '../groups/reads.js';
import { knownDriveReads } from '../known-drives/reads.js';
import { labelReads } from '../labels/reads.js';
import { directoryPermissionReads, systemPermissionReads } from '../permissions/reads.js';
import { purchaseReads } from '../purchases/reads.js';
import { webhookReads } from '../webhooks/reads.js';
import type { FamilyReads, RecordFamily } from '../foundation/record-of.js';

function system<R extends RecordBase>(reads: FamilyReads<R>): RecordFamily {
  return { reads: reads as unknown as FamilyReads<RecordBase>, is_directory: false };
}

function directory<R extends RecordBase>(reads: FamilyReads<R>): RecordFamily {
  return { ...system(reads), is_directory: true };
}

/** One line per family; whatever holds for all records of a drive goes by this table. */
export const RECORD_FAMILIES: readonly RecordFamily[] = [
  system(contactReads),
  system(groupReads),
  system(inviteReads),
  system(diskReads),
  system(apiKeyReads),
  system(webhookReads),
  system(purchaseReads),
  system(knownDriveReads),
  system(labelReads),
  system(directoryPermissionReads),
  system(systemPermissionReads),
  directory(folderReads),
  directory(fileReads),
];

const by_name = new Map(RECORD_FAMILIES.map((family) => [family.reads.family, family]));

/** The family of that API name, undefined where its records carry neither labels nor external ids. */
export function recordFamily(name: string): RecordFamily | undefined {
  return by_name.get(name);
}
