import { randomBytes } from 'node:crypto';
import { Box, ERASED, SEALED } from '../../domain/kernel/sealed.js';
import { Keyring } from './keyring.js';

/** What AES-GCM says of a box that does not fit. */
const UNREADABLE = 'unable to authenticate data';
const KEY = randomBytes(32);
const ring = (drive_id = 'DriveID_a', keys: Iterable<[string, Uint8Array]> = [['k', KEY]]) =>
  new Keyring(drive_id, new Map(keys));

describe('a keyring', () => {
  it('opens what it sealed, also in another process that has the key', () => {
    const box = ring().seal('k', { name: 'Ann', metadata: { a: [1, null] } });
    expect(ring().open<unknown>(box, 'name')).toBe('Ann');
    expect(ring().open<unknown>(box, 'metadata')).toEqual({ a: [1, null] });
  });

  it('gives clear values back as they are', () => {
    expect(ring().open('clear', 'name')).toBe('clear');
    expect(ring().open(null, 'name')).toBeNull();
  });

  it('shows "[sealed]" without the key, until it learns it', () => {
    const box = ring().seal('k', { name: 'Ann' });
    const keyring = ring('DriveID_a', []);
    expect(keyring.open<unknown>(box, 'name')).toBe(SEALED);
    keyring.learn('k', KEY);
    expect(keyring.open<unknown>(box, 'name')).toBe('Ann');
  });

  it('shows "[erased]" once the key is destroyed, also for what it had opened before', () => {
    const keyring = ring();
    const box = keyring.seal('k', { name: 'Ann' });
    expect(keyring.open<unknown>(box, 'name')).toBe('Ann');
    keyring.forget(['k']);
    expect(keyring.open<unknown>(box, 'name')).toBe(ERASED);
    expect(keyring.has('k')).toBe(false);
  });

  it.each([
    ['another drive', () => ring('DriveID_b')],
    ['another key', () => ring('DriveID_a', [['k', randomBytes(32)]])],
  ])('does not open in %s', (_, other) => {
    const box = ring().seal('k', { name: 'Ann' });
    expect(() => other().open(box, 'name')).toThrow(UNREADABLE);
  });

  it('does not open under another key id, even with the same key', () => {
    const both = () =>
      ring('DriveID_a', [
        ['k', KEY],
        ['other', KEY],
      ]);
    const box = both().seal('k', { name: 'Ann' });
    expect(() => both().open(new Box('other', box.text), 'name')).toThrow(UNREADABLE);
  });

  it('opens no box with any byte changed', () => {
    const { text } = ring().seal('k', { name: 'A' });
    const bytes = Buffer.from(text, 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => ring().open(new Box('k', changed.toString('base64')), 'name')).toThrow(
        UNREADABLE,
      );
    }
  });

  it('takes a new nonce for every box', () => {
    const keyring = ring();
    const nonces = Array.from({ length: 500 }, () =>
      Buffer.from(keyring.seal('k', { name: 'A' }).text, 'base64').toString('hex', 0, 12),
    );
    expect(new Set(nonces).size).toBe(500);
  });

  describe('with keys it had to make', () => {
    it('names them until they are stored', () => {
      const keyring = ring();
      keyring.seal('new', { name: 'Ann' });
      keyring.seal('k', { name: 'Bob' });
      expect([...keyring.unsaved.keys()]).toEqual(['new']);
      expect(keyring.unsaved.get('new')).toHaveLength(32);
      keyring.saved(['new']);
      expect(keyring.unsaved.size).toBe(0);
    });

    it('makes each once', () => {
      const keyring = ring();
      keyring.seal('new', { name: 'Ann' });
      const first = keyring.unsaved.get('new');
      keyring.seal('new', { name: 'Ann' });
      expect(keyring.unsaved.get('new')).toBe(first);
    });

    it('lets a key from the vault take their place', () => {
      const keyring = ring();
      keyring.seal('new', { name: 'Ann' });
      keyring.learn('new', KEY);
      expect(keyring.unsaved.size).toBe(0);
      const box = keyring.seal('new', { name: 'Bob' });
      expect(ring('DriveID_a', [['new', KEY]]).open<unknown>(box, 'name')).toBe('Bob');
    });

    it('does not store what has been destroyed meanwhile', () => {
      const keyring = ring();
      keyring.seal('new', { name: 'Ann' });
      keyring.forget(['new']);
      expect(keyring.unsaved.size).toBe(0);
    });
  });
});
