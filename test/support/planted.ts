import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unpackSections } from '../../libs/engine/snapshots/snapshot-sections.js';

/** Texts that must turn up nowhere, each under the name of the place where it was put in. */
export class Planted {
  private readonly texts = new Map<string, string>();
  /** All forms by their first characters, so that one pass over the bytes finds every text. */
  private readonly by_beginning = new Map<string, { name: string; form: string }[]>();

  /** A text that occurs nowhere else. */
  text(name: string): string {
    return this.known(name, `planted${randomBytes(12).toString('hex')}`);
  }

  /** Keeps an eye on a text that the service made, such as a code. */
  known(name: string, text: string): string {
    if (typeof text !== 'string' || text.length < 12)
      throw new Error(`${name}: '${text}' is nothing to look for`);
    this.texts.set(name, text);
    for (const form of forms(text)) {
      const bytes = Buffer.from(form).toString('latin1');
      const beginning = bytes.slice(0, BEGINNING);
      const alike = this.by_beginning.get(beginning) ?? [];
      this.by_beginning.set(beginning, [...alike, { name, form: bytes }]);
    }
    return text;
  }

  /** All texts with their names. */
  get entries(): readonly (readonly [name: string, text: string])[] {
    return [...this.texts];
  }

  get size(): number {
    return this.texts.size;
  }

  /** Names of the texts that some bytes hold: as UTF-8, hex, or base64 at any offset. */
  foundIn(bytes: Buffer): string[] {
    const found = new Set<string>();
    const text = bytes.toString('latin1');
    for (let at = 0; at <= text.length - BEGINNING; at++)
      for (const { name, form } of this.by_beginning.get(text.slice(at, at + BEGINNING)) ?? [])
        if (text.startsWith(form, at)) found.add(name);
    return [...found];
  }
}

/** Characters that every form has at least. */
const BEGINNING = 8;

function forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  // Search texts are stored in lower case.
  const lower = text.toLowerCase();
  const all = [text, lower, hex, hex.toUpperCase(), JSON.stringify(text).slice(1, -1)];
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    // The first and last characters also depend on what stands around the text.
    const cut = (form: string): string =>
      form
        .slice(before === 0 ? 0 : 4)
        .replace(/=+$/, '')
        .slice(0, -2);
    all.push(cut(shifted.toString('base64')), cut(shifted.toString('base64url')));
  }
  return all;
}

/** Bytes, and where they lie. */
export interface Found {
  readonly where: string;
  readonly bytes: Buffer;
}

/** Every file of a folder as it lies there, and every value of every database in it, unpacked. */
export async function* everythingIn(folder: string): AsyncGenerator<Found> {
  for (const file of readdirSync(folder, {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    yield { where: file.name, bytes: readFileSync(path) };
    // Long values are scattered over pages, so the raw bytes alone would not do. (Opening lock.db
    // would take the lock from the process that holds it.)
    if (path.endsWith('.db') && file.name !== 'lock.db') yield* valuesOf(path, file.name);
  }
}

export async function allIn(folder: string): Promise<readonly Found[]> {
  const all: Found[] = [];
  for await (const found of everythingIn(folder)) all.push(found);
  return all;
}

async function* valuesOf(path: string, name: string): AsyncGenerator<Found> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const table of tables)
      for (const row of db.prepare(`SELECT * FROM "${String(table.name)}"`).iterate())
        for (const [column, value] of Object.entries(row)) {
          if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue;
          const where = `${name} ${String(table.name)}.${column}`;
          const bytes = Buffer.from(value as string);
          yield { where, bytes };
          if (column === 'body')
            for (const section of await unpackSections(bytes))
              yield { where: `${where} unpacked`, bytes: section };
        }
  } finally {
    db.close();
  }
}

/** How a compressed frame begins (RFC 8878). */
const ZSTD_MAGIC = Buffer.from('28b52ffd', 'hex');

/** The sections packed in bytes; none where nothing is. */
export async function unpacked(bytes: Buffer): Promise<readonly Buffer[]> {
  return bytes.includes(ZSTD_MAGIC) ? unpackSections(bytes) : [];
}
