import { readFileSync, writeFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
const DAMAGED_BYTES = 64;

/** Damages the beginning of a page of an SQLite file, as a failing disk does; opening the file does not show it. */
export function damagePage(path: string, page: number): void {
  const bytes = readFileSync(path);
  const start = page * PAGE_BYTES;
  for (let at = start; at < start + DAMAGED_BYTES; at++) bytes[at]! ^= 0xff;
  writeFileSync(path, bytes);
}
