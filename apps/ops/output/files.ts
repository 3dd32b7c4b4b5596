import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import {
  type Opening,
  type Protection,
  SHORTEST_PASSPHRASE,
} from '../../../libs/engine/transfer/key-file.js';
import { LONGEST_LINE } from '../../../libs/proofs/stream-file.js';
import { EXIT, Failure } from '../failure.js';
import { textIn } from '../text-in.js';
import type { Terminal } from './terminal.js';

const CHUNK_BYTES = 256 * 1024;

/** A file line by line, without line ends. @throws Failure at a line without end */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file);
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      const lines = (rest + decoder.write(chunk.subarray(0, bytesRead))).split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE)
        throw new Failure(`${file} has a too long line.`, EXIT.refused);
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    await handle.close();
  }
}

/**
 * A file that appears complete or not at all, for its owner alone: written to a temporary file, and renamed at the
 * end.
 */
export class NewFile {
  private waiting: string[] = [];
  private length = 0;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws Failure if a file of that name exists, or none can be created */
  static async begin(path: string): Promise<NewFile> {
    if (existsSync(path)) throw new Failure(`${path} exists already.`, EXIT.usage);
    try {
      return new NewFile(path, await open(aside(path), 'w', 0o600));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Failure(`${path} cannot be written (${code}).`, EXIT.usage);
    }
  }

  async line(text: string): Promise<void> {
    this.waiting.push(text, '\n');
    this.length += text.length + 1;
    if (this.length >= CHUNK_BYTES) await this.flush();
  }

  /** Flushes the content to the disk. */
  async finish(): Promise<void> {
    await this.flush();
    await this.handle.sync();
    await this.handle.close();
  }

  /** Renames the finished file to its final name. */
  async keep(): Promise<void> {
    await rename(aside(this.path), this.path);
    const folder = await open(dirname(this.path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Deletes it, unless it was kept. */
  async drop(): Promise<void> {
    await this.handle.close().catch(() => {});
    await rm(aside(this.path), { force: true });
  }

  private async flush(): Promise<void> {
    const text = this.waiting.join('');
    this.waiting = [];
    this.length = 0;
    await this.handle.writeFile(text);
  }
}

const aside = (path: string): string => `${path}.part`;

export interface SecretOptions {
  readonly passphraseFile?: string;
  readonly recipient?: string;
  readonly privateKey?: string;
}

/** Access protection of a new key file. @throws Failure */
export async function protectionOf(
  options: SecretOptions,
  terminal: Terminal,
): Promise<Protection> {
  const { recipient } = options;
  if (recipient !== undefined) return { recipient: keyIn(recipient, createPublicKey) };
  const passphrase = await passphraseOf(options, terminal, true);
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new Failure(`A passphrase needs ${SHORTEST_PASSPHRASE} characters or more.`, EXIT.usage);
  return { passphrase };
}

/** Credentials that open a key file. @throws Failure */
export async function openingOf(options: SecretOptions, terminal: Terminal): Promise<Opening> {
  const { privateKey } = options;
  if (privateKey === undefined) return { passphrase: await passphraseOf(options, terminal, false) };
  const passphrase = terminal.env.KEYS_PASSPHRASE;
  return {
    private_key: keyIn(privateKey, (key) =>
      createPrivateKey({ key, ...(passphrase && { passphrase }) }),
    ),
  };
}

function keyIn(file: string, read: (pem: string) => KeyObject): KeyObject {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch {
    throw new Failure(`${file} contains no usable key (PEM).`, EXIT.usage);
  }
}

/** Never an argument: all users of the machine can see arguments. */
async function passphraseOf(
  { passphraseFile }: SecretOptions,
  { env, askSecret }: Terminal,
  is_new: boolean,
): Promise<string> {
  if (passphraseFile !== undefined) return textIn(passphraseFile).replace(/\r?\n$/, '');
  if (env.KEYS_PASSPHRASE) return env.KEYS_PASSPHRASE;
  const other = is_new ? '--recipient' : '--private-key';
  if (!askSecret)
    throw new Failure(
      `--keys needs a passphrase or a key: set KEYS_PASSPHRASE or give --passphrase-file or ${other}.`,
      EXIT.usage,
    );
  const passphrase = await askSecret('Passphrase: ');
  if (is_new && (await askSecret('Repeat: ')) !== passphrase)
    throw new Failure('The two passphrases differ.', EXIT.usage);
  return passphrase;
}
