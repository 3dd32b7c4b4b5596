import { DRIVE_OPERATIONS } from '../../../libs/client/src/generated/api.js';
import { seededDrive } from '../seed/plans.js';
import { crowdReads } from './crowd.js';
import { familyReads } from './families.js';

/** Reads that the row of growth leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'contacts.generate_crypto_identity': 'reads no record',
  'contacts.generate_auto_login_link': 'reads one record, by its id',
  'organization.snapshot': 'shows the whole organization',
  'organization.verify': 'reads the whole organization',
  'organization.reindex_job': 'shows the job of a rebuild',
};

/** Names and kinds of all operations, as `groups.invites.get`. */
function operations(table: object, prefix = ''): [name: string, kind: string][] {
  return Object.entries(table).flatMap(([name, entry]: [string, { kind?: string }]) =>
    entry.kind
      ? [[prefix + name, entry.kind] as [string, string]]
      : operations(entry, `${prefix}${name}.`),
  );
}

it('the row of growth has every read of the interface', () => {
  const asked = { drive_id: '', token: '', owner_id: '', disk_id: '', folder_id: '' };
  const measured = [
    ...Object.values(crowdReads(seededDrive(1), 1)),
    ...Object.values(familyReads({ ...asked, file_id: '', invite_id: '' }, 1)),
  ].map(({ operation }) => operation.split(' ')[0]!);
  const reads = operations(DRIVE_OPERATIONS).filter(([, kind]) => /^(?:read|query)$/.test(kind));
  const covered = new Set([...measured, ...Object.keys(LEFT_OUT)]);
  // Actions are commands, reads among them.
  covered.delete('directory.action');
  expect([...covered].toSorted()).toEqual(reads.map(([name]) => name).toSorted());
});
