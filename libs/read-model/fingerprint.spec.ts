import { Fingerprints } from './fingerprint.js';

const RECORD = { id: 'a', name: 'Ä', tags: ['x', 'y'], color: '', created_at: 5 };

describe('fingerprints', () => {
  const fingerprints = Fingerprints.from(new Uint8Array(32).fill(1));
  const document = { family: 'things', id: 'a', revision: 1, record: RECORD };
  const of = (changed: object, drive_id = 'DriveID_a'): string =>
    fingerprints.of(drive_id, { ...document, ...changed });

  it('are the same whatever the order of fields, and without the revision, which is kept beside', () => {
    const { name, ...rest } = RECORD;
    expect(of({ record: { ...rest, name } })).toBe(of({}));
    expect(of({ revision: 2, record: { ...RECORD, revision: 2 } })).toBe(of({}));
  });

  it('tell records apart, their places, and keys', () => {
    const { name: _, ...rest } = RECORD;
    const others = [
      of({ family: 'others' }),
      of({ id: 'b' }),
      of({ record: { ...RECORD, name: 'b' } }),
      of({ record: { ...RECORD, tags: ['x'] } }),
      of({ record: rest }),
      of({}, 'DriveID_b'),
      Fingerprints.from(new Uint8Array(32).fill(2)).of('DriveID_a', document),
    ];
    expect(new Set([of({}), ...others]).size).toBe(others.length + 1);
  });

  it('are made with the key alone', () => {
    const { key, key_name } = fingerprints;
    const same = new Fingerprints(key);
    expect(same.of('DriveID_a', document)).toBe(of({}));
    expect(same.key_name).toBe(key_name);
  });
});
