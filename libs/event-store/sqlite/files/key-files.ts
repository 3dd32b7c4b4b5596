import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { ensureFolder, syncFolder } from './folder-files.js';
import { KEY_BYTES } from '../../key-wrap.js';

/** The configured or stored key is invalid, or accessible to other users. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/** A key of the installation, stored in a file of the data folder unless it is configured. */
interface KeyFile {
  readonly file: string;
  /** Its name in messages. */
  readonly name: string;
}

const MASTER_KEY: KeyFile = { file: 'master.key', name: 'master key' };
const SIGNING_KEY: KeyFile = { file: 'signing.key', name: 'signing key' };

/**
 * The master key, 32 bytes, under which all stored keys are wrapped: `master.key` in the data folder.
 * @param configured the key as 64 hexadecimal digits or base64 (url-safe or not); without it, the key is read from
 *   its file, which is created on first startup with a random key, accessible only to its owner
 * @throws UnusableKey if the configured or stored key is invalid, the file is accessible to other users, or it is
 *   missing beside databases; no message contains the key
 */
export function loadMasterKey(data_dir: string, configured?: string): Uint8Array {
  if (!configured) refuseLostKey(data_dir);
  return loadKey(data_dir, MASTER_KEY, configured);
}

/** A new key would open none of the existing data, and block the place of the lost one. */
function refuseLostKey(data_dir: string): void {
  const path = join(data_dir, MASTER_KEY.file);
  const used = ['events.db', 'side.db'].find((file) => existsSync(join(data_dir, file)));
  if (used === undefined || existsSync(path)) return;
  throw new UnusableKey(
    `${path} is missing, and ${join(data_dir, used)} can only be used with the key in it: ` +
      'restore that file, or set MASTER_KEY to the key of this folder',
  );
}

/**
 * The secret of the Ed25519 key with which the installation signs digests, 32 bytes: `signing.key`. Like the master
 * key.
 * @throws UnusableKey
 */
export function loadSigningKey(data_dir: string, configured?: string): Uint8Array {
  return loadKey(data_dir, SIGNING_KEY, configured);
}

export function hasSigningKey(data_dir: string): boolean {
  return existsSync(join(data_dir, SIGNING_KEY.file));
}

/**
 * The master key as `loadMasterKey` returns it, but never created: for read-only access.
 * @throws UnusableKey also if there is none
 */
export function readMasterKey(data_dir: string, configured?: string): Uint8Array {
  if (!existsSync(data_dir)) throw new UnusableKey(`the data folder ${data_dir} does not exist`);
  if (!configured && !existsSync(join(data_dir, MASTER_KEY.file)))
    throw new UnusableKey(`${join(data_dir, MASTER_KEY.file)} does not exist; set MASTER_KEY`);
  return loadMasterKey(data_dir, configured);
}

function loadKey(data_dir: string, key_file: KeyFile, configured?: string): Uint8Array {
  if (configured !== undefined && configured !== '') {
    const key = parseKey(configured);
    if (!key) {
      throw new UnusableKey(
        `the configured ${key_file.name} is not ${KEY_BYTES} bytes in hexadecimal or base64`,
      );
    }
    return key;
  }
  ensureFolder(data_dir, 'DATA_DIR');
  const path = join(data_dir, key_file.file);
  return readKeyFile(path, key_file) ?? makeKeyFile(data_dir, path, key_file);
}

function parseKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return new Uint8Array(Buffer.from(trimmed, 'hex'));
  if (/^[\w+/-]{43}=?$/.test(trimmed)) return new Uint8Array(Buffer.from(trimmed, 'base64'));
  return undefined;
}

function readKeyFile(path: string, { name }: KeyFile): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const why = UNREADABLE[code] ?? code;
    throw new UnusableKey(
      `${path} cannot be read (${why}); restore the ${name}, accessible only to its owner`,
      {
        cause: error,
      },
    );
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new UnusableKey(
      `${path} is accessible to other users (mode ${mode.toString(8)}); run: chmod 600 ${path}`,
    );
  }
  const key = parseKey(text);
  if (!key) throw new UnusableKey(`${path} does not hold a ${name} of ${KEY_BYTES} bytes`);
  return key;
}

/** Written to a temporary file and linked, so that the file is complete or absent, and the first one stays. */
function makeKeyFile(data_dir: string, path: string, key_file: KeyFile): Uint8Array {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  const fd = openSync(aside, 'wx', 0o600);
  try {
    writeSync(fd, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(aside, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(aside);
  }
  syncFolder(data_dir);
  return readKeyFile(path, key_file)!;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
};

const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === code;
