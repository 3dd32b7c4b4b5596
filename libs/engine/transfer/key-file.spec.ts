import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  KeyFileReader,
  KeyFileWriter,
  type Opening,
  type Protection,
  UnusableKeyFile,
} from './key-file.js';

const ID = 'export-1';
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };
const passphrase = 'correct horse battery';
const x25519 = generateKeyPairSync('x25519');
const other_x25519 = generateKeyPairSync('x25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keysOf = (...ids: string[]) =>
  new Map(ids.map((id) => [id, new Uint8Array(randomBytes(32))]));

const drives = new Map([
  ['DriveID_a', keysOf('drive', 'subject-1', 'subject-2')],
  ['DriveID_b', keysOf('drive')],
  ['DriveID_c', keysOf()],
  ['factory', keysOf('drive')],
]);

async function written(protection: Protection, all = drives): Promise<string[]> {
  const writer = await KeyFileWriter.begin(ID, protection, CHEAP);
  const lines = [writer.header];
  for (const [drive_id, keys] of all) lines.push(...writer.add(drive_id, keys));
  return [...lines, writer.end()];
}
async function* linesOf(lines: readonly string[]) {
  yield* lines;
}
const open = (lines: readonly string[], opening: Opening) =>
  KeyFileReader.open(linesOf(lines), opening);

describe('a key file', () => {
  it.each<[string, Protection, Opening]>([
    ['a passphrase', { passphrase }, { passphrase }],
    ['X25519', { recipient: x25519.publicKey }, { private_key: x25519.privateKey }],
    ['RSA', { recipient: rsa.publicKey }, { private_key: rsa.privateKey }],
  ])('wrapped with %s gives every key back, and shows none', async (_, protection, opening) => {
    const lines = await written(protection);
    const reader = await open(lines, opening);
    expect(reader.export_id).toBe(ID);
    for (const [drive_id, keys] of drives) expect(await reader.keysOf(drive_id)).toEqual(keys);
    expect(await reader.keysOf('DriveID_d')).toBeNull();
    const text = lines.join('\n');
    expect(text).not.toContain('subject-1');
    for (const keys of drives.values())
      for (const key of keys.values())
        for (const form of ['base64', 'hex'] as const)
          expect(text).not.toContain(Buffer.from(key).toString(form));
  });

  it('skips drives that nobody asks for', async () => {
    const reader = await open(await written({ passphrase }), { passphrase });
    expect(await reader.keysOf('DriveID_b')).toEqual(drives.get('DriveID_b'));
    expect(await reader.keysOf('factory')).toEqual(drives.get('factory'));
  });

  it('holds any number of keys of a drive', async () => {
    const many = keysOf(...Array.from({ length: 5001 }, (_, at) => `subject-${at}`));
    const lines = await written({ passphrase }, new Map([['DriveID_a', many]]));
    expect(lines).toHaveLength(4);
    const reader = await open(lines, { passphrase });
    expect(await reader.keysOf('DriveID_a')).toEqual(many);
  });

  it.each<[string, Protection, Opening, string]>([
    ['another passphrase', { passphrase }, { passphrase: 'another passphrase' }, 'this passphrase'],
    [
      'another private key',
      { recipient: x25519.publicKey },
      { private_key: other_x25519.privateKey },
      'this private key',
    ],
    [
      'a private key of another kind',
      { recipient: rsa.publicKey },
      { private_key: x25519.privateKey },
      'this private key',
    ],
    [
      'a passphrase for a private key',
      { recipient: rsa.publicKey },
      { passphrase },
      'give the private key',
    ],
    [
      'a private key for a passphrase',
      { passphrase },
      { private_key: rsa.privateKey },
      'give the passphrase',
    ],
  ])('does not open with %s', async (_, protection, opening, says) => {
    await expect(open(await written(protection), opening)).rejects.toThrow(says);
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    ['cut off', (lines) => lines.slice(0, -1), 'it is truncated'],
    ['with a drive left out', (lines) => lines.toSpliced(2, 1), 'line 3 was changed'],
    ['with two drives swapped', (lines) => lines.with(1, lines[2]!).with(2, lines[1]!), 'line 2'],
    [
      'with a drive renamed',
      (lines) => lines.with(2, lines[2]!.replace('DriveID_b', 'DriveID_x')),
      'line 3 was changed',
    ],
    ['whose end is early', (lines) => [...lines.slice(0, 3), lines.at(-1)!], 'line 4 was changed'],
    ['that is none', () => ['{}'], 'it holds no keys'],
    ['that is empty', () => [], 'it is not a key file'],
    ['of a later form', (lines) => [lines[0]!.replace('version":1', 'version":2')], 'reads 1'],
    [
      'that asks for too much memory',
      (lines) => [lines[0]!.replace('"n":1024', '"n":67108864')],
      'out of bounds',
    ],
  ])('%s is refused', async (_, change, says) => {
    const lines = change(await written({ passphrase }));
    const reading = (async () => {
      const reader = await open(lines, { passphrase });
      for (const drive_id of drives.keys()) await reader.keysOf(drive_id);
    })();
    await expect(reading).rejects.toThrow(UnusableKeyFile);
    await expect(reading).rejects.toThrow(says);
  });

  it('is written for no key that is too weak, or of another kind', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const signing = generateKeyPairSync('ed25519').publicKey;
    for (const recipient of [weak, signing])
      await expect(written({ recipient })).rejects.toThrow('X25519, or RSA of 2048 bits');
  });
});
