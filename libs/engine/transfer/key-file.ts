import {
  createPublicKey,
  constants,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { sealText, unsealText } from '../keys/keyring.js';

/**
 * Keys of drives as a file of newline-delimited JSON, separate from the events: a header with the wrapping, lines
 * with the keys of one drive each, and a line with their number. Everything but drive ids is sealed. See
 * docs/export-format.md.
 */

const FORMAT = 'drive-keys';
const FORMAT_VERSION = 1;
const KEY_BYTES = 32;
interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
/** 128 MiB. */
const SCRYPT: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
const SCRYPT_MAX_BYTES = 256 * 1024 * 1024;
/** Maximum keys per line; a drive with more has several lines. */
const KEYS_PER_LINE = 5000;
export const SHORTEST_PASSPHRASE = 12;

const scryptOf = promisify<string, Buffer, number, ScryptCost & { maxmem: number }, Buffer>(scrypt);

export type Protection =
  | { readonly passphrase: string }
  /** X25519, or RSA of 2048 bits or more. */
  | { readonly recipient: KeyObject };

export type Opening = { readonly passphrase: string } | { readonly private_key: KeyObject };

/** The file is not a key file, is changed or truncated, or does not open with the given credentials. */
export class UnusableKeyFile extends Error {
  override readonly name = 'UnusableKeyFile';
}

/** The header's description of how the file key is wrapped. */
type Wrapped =
  | { kind: 'scrypt'; n: number; r: number; p: number; salt: string }
  | { kind: 'x25519'; ephemeral_key: string }
  | { kind: 'rsa-oaep-sha256'; wrapped_key: string };

interface Header {
  readonly format: string;
  readonly format_version: number;
  readonly export_id: string;
  readonly protection: Wrapped;
  /** An empty box, which only the right key opens. */
  readonly check: string;
}

/** Writes the lines of a key file, one after another. */
export class KeyFileWriter {
  private lines = 0;

  private constructor(
    private readonly key: Buffer,
    private readonly export_id: string,
    readonly header: string,
  ) {}

  /** @throws UnusableKeyFile for an unusable public key */
  static async begin(
    export_id: string,
    protection: Protection,
    cost: ScryptCost = SCRYPT,
  ): Promise<KeyFileWriter> {
    const { key, wrapped } = await newKey(protection, cost);
    const check = sealText(key, placeOf(export_id, 0, ''), '');
    const header: Header = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      export_id,
      protection: wrapped,
      check,
    };
    return new KeyFileWriter(key, export_id, JSON.stringify(header));
  }

  add(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): string[] {
    const all = [...keys].map(([key_id, key]) => [key_id, Buffer.from(key).toString('base64')]);
    const lines: string[] = [];
    for (let from = 0; from === 0 || from < all.length; from += KEYS_PER_LINE) {
      const text = JSON.stringify(Object.fromEntries(all.slice(from, from + KEYS_PER_LINE)));
      const place = placeOf(this.export_id, ++this.lines, drive_id);
      lines.push(JSON.stringify({ drive_id, keys: sealText(this.key, place, text) }));
    }
    return lines;
  }

  end(): string {
    const check = sealText(this.key, placeOf(this.export_id, this.lines + 1, ''), '');
    this.key.fill(0);
    return JSON.stringify({ end: FORMAT, lines: this.lines, check });
  }
}

/** Reads the keys of one drive after another, in the order of the file. */
export class KeyFileReader {
  private number = 0;
  private next: { drive_id: string; keys: ReadonlyMap<string, Uint8Array> } | null = null;
  private is_ended = false;

  private constructor(
    private readonly key: Buffer,
    readonly export_id: string,
    private readonly lines: AsyncIterator<string>,
  ) {}

  /** @throws UnusableKeyFile */
  static async open(lines: AsyncIterable<string>, opening: Opening): Promise<KeyFileReader> {
    const source = lines[Symbol.asyncIterator]();
    try {
      return await KeyFileReader.begin(source, opening);
    } catch (error) {
      await source.return?.();
      throw error;
    }
  }

  private static async begin(
    source: AsyncIterator<string>,
    opening: Opening,
  ): Promise<KeyFileReader> {
    const first = await source.next();
    const header = parsed(first.done ? '' : first.value) as Partial<Header>;
    if (header.format !== FORMAT) throw new UnusableKeyFile('it holds no keys');
    if (header.format_version !== FORMAT_VERSION)
      throw new UnusableKeyFile(
        `it has format_version ${header.format_version}; this release reads ${FORMAT_VERSION}`,
      );
    const { export_id, protection, check } = header as Header;
    const key = await foundKey(protection, opening);
    try {
      unsealText(key, placeOf(export_id, 0, ''), check);
    } catch {
      const with_what = 'passphrase' in opening ? 'passphrase' : 'private key';
      throw new UnusableKeyFile(`it does not open with this ${with_what}`);
    }
    return new KeyFileReader(key, export_id, source);
  }

  /**
   * The keys of a drive; lines of earlier drives are skipped, so drives must be requested in the order of the file.
   * Null if it has none of that drive. @throws UnusableKeyFile
   */
  async keysOf(drive_id: string): Promise<ReadonlyMap<string, Uint8Array> | null> {
    this.next ??= await this.read();
    while (this.next && this.next.drive_id !== drive_id) this.next = await this.read();
    if (!this.next) return null;
    const keys = new Map<string, Uint8Array>();
    while (this.next?.drive_id === drive_id) {
      for (const [key_id, key] of this.next.keys) keys.set(key_id, key);
      this.next = await this.read();
    }
    return keys;
  }

  async close(): Promise<void> {
    this.key.fill(0);
    await this.lines.return?.();
  }

  private async read(): Promise<KeyFileReader['next']> {
    if (this.is_ended) return null;
    const { value, done } = await this.lines.next();
    const number = ++this.number;
    if (done) throw new UnusableKeyFile(`it is truncated after line ${number}`);
    const line = parsed(value) as Record<string, unknown>;
    const is_end = 'end' in line;
    const drive_id = is_end ? '' : String(line.drive_id);
    const box = is_end ? line.check : line.keys;
    let text: string;
    try {
      text = unsealText(this.key, placeOf(this.export_id, number, drive_id), String(box));
    } catch {
      throw new UnusableKeyFile(`line ${number + 1} was changed or moved`);
    }
    if (is_end) {
      this.is_ended = true;
      return null;
    }
    const keys = Object.entries(JSON.parse(text) as Record<string, string>).map(
      ([key_id, key]) => [key_id, new Uint8Array(Buffer.from(key, 'base64'))] as const,
    );
    return { drive_id, keys: new Map(keys) };
  }
}

/** A new file key, and the header from which its reader derives it. */
async function newKey(
  protection: Protection,
  cost: ScryptCost,
): Promise<{ key: Buffer; wrapped: Wrapped }> {
  if ('passphrase' in protection) {
    const salt = randomBytes(32);
    const key = await fromPassphrase(protection.passphrase, salt, cost);
    const { N: n, r, p } = cost;
    return { key, wrapped: { kind: 'scrypt', n, r, p, salt: salt.toString('base64') } };
  }
  const { recipient } = protection;
  if (recipient.asymmetricKeyType === 'x25519') {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const ephemeral = publicKey.export({ type: 'spki', format: 'der' });
    const key = agreed(privateKey, recipient, ephemeral, recipient);
    return { key, wrapped: { kind: 'x25519', ephemeral_key: ephemeral.toString('base64') } };
  }
  const bits = recipient.asymmetricKeyDetails?.modulusLength ?? 0;
  if (recipient.asymmetricKeyType !== 'rsa' || bits < 2048)
    throw new UnusableKeyFile('the public key must be X25519, or RSA of 2048 bits or more');
  const key = randomBytes(KEY_BYTES);
  const wrapped_key = publicEncrypt({ key: recipient, ...OAEP }, key).toString('base64');
  return { key, wrapped: { kind: 'rsa-oaep-sha256', wrapped_key } };
}

const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;

async function foundKey(wrapped: Wrapped, opening: Opening): Promise<Buffer> {
  try {
    if ('passphrase' in opening) {
      if (wrapped.kind !== 'scrypt')
        throw new UnusableKeyFile('it was written for a recipient: give the private key');
      const { n: N, r, p, salt } = wrapped;
      return await fromPassphrase(opening.passphrase, Buffer.from(salt, 'base64'), { N, r, p });
    }
    const { private_key } = opening;
    if (wrapped.kind === 'scrypt')
      throw new UnusableKeyFile('it was written with a passphrase: give the passphrase');
    if (wrapped.kind === 'x25519') {
      const ephemeral = Buffer.from(wrapped.ephemeral_key, 'base64');
      const key = { key: ephemeral, type: 'spki', format: 'der' } as const;
      return agreed(private_key, createPublicKey(key), ephemeral, createPublicKey(private_key));
    }
    const bytes = Buffer.from(wrapped.wrapped_key, 'base64');
    return privateDecrypt({ key: private_key, ...OAEP }, bytes);
  } catch (error) {
    if (error instanceof UnusableKeyFile) throw error;
    throw new UnusableKeyFile('it does not open with this private key', { cause: error });
  }
}

async function fromPassphrase(passphrase: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  // A file must not exhaust the machine's memory.
  if (128 * cost.N * cost.r > SCRYPT_MAX_BYTES / 2 || cost.p > 4)
    throw new UnusableKeyFile('its scrypt parameters are out of bounds');
  const options = { ...cost, maxmem: SCRYPT_MAX_BYTES };
  return scryptOf(passphrase.normalize('NFC'), salt, KEY_BYTES, options);
}

/** The shared key of an X25519 agreement (HKDF-SHA-256, bound to both public keys). */
function agreed(own: KeyObject, other: KeyObject, ephemeral: Buffer, recipient: KeyObject): Buffer {
  const secret = diffieHellman({ privateKey: own, publicKey: other });
  const salt = Buffer.concat([ephemeral, recipient.export({ type: 'spki', format: 'der' })]);
  return Buffer.from(hkdfSync('sha256', secret, salt, `${FORMAT} ${FORMAT_VERSION}`, KEY_BYTES));
}

/** Binds a box to its file, its line and its drive. */
function placeOf(export_id: string, line: number, drive_id: string): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, FORMAT_VERSION, export_id, line, drive_id]));
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new UnusableKeyFile('it is not a key file');
}
