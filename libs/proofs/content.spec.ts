import { describe, expect, it } from '@jest/globals';
import {
  absenceOf,
  changesOf,
  type Document,
  presenceOf,
} from '../engine/testing/proof-documents.js';
import { provenContent, type ProvenContent } from './content.js';
import { Malformed } from './hashes.js';

/** The content that a document proves, null if it proves none. */
function contentIn(document: Document): ProvenContent | null {
  try {
    return provenContent(document);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

describe('the content of a file by a record proof', () => {
  const place = { drive_id: 'DriveID_a', revision: 3, family: 'files' } as const;
  const content = { sha256: '1'.repeat(64), version_id: 'FileVersionID_1' };
  const presence = presenceOf({ ...place, record_id: 'FileID_1' }, content);

  it('is the same, whatever member was changed', () => {
    const proven = provenContent(presence);
    expect(proven).toMatchObject({ ...content, file_id: 'FileID_1', revision: 3 });
    for (const [path, changed] of changesOf({ ...presence })) {
      const found = contentIn(changed);
      // A digest is of one organization and revision.
      const { drive_id: drive = place.drive_id, revision = 3 } = found ?? {};
      expect([path, found ?? proven]).toEqual([path, { ...proven, drive_id: drive, revision }]);
    }
  });

  it('is none for a file that never was', () => {
    const never = absenceOf({ ...place, record_id: 'FileID_never' });
    const record = { id: 'FileID_never', ...content };
    const { leaf } = presence;
    for (const made of [{ record }, { record, leaf }, { record, exists: 'false' }])
      expect(() => provenContent({ ...never, ...made })).toThrow(/leaf or record|exists is/);
    expect(() => provenContent(never)).toThrow('there was no FileID_never at revision 3');
  });
});
