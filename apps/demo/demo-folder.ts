import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Leak } from './story.js';

const FILE = 'demo.json';

/** What is known of a finished demo, stored in its data folder. Readable by its user only: it holds the owner's key. */
export interface DemoFile {
  readonly seed: number;
  readonly drive_id: string;
  readonly owner_id: string;
  readonly token: string;
  readonly leak: Leak;
}

/** The folder holds other data than a finished demo. */
export class NoDemoFolder extends Error {
  override readonly name = 'NoDemoFolder';
}

/**
 * Creates the folder, or reads the demo in it.
 * @returns null if the folder is empty
 * @throws NoDemoFolder
 */
export function openDemoFolder(folder: string): DemoFile | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
  if (readdirSync(folder).length === 0) return null;
  throw new NoDemoFolder(
    `${folder} is not empty and holds no finished demo: remove it, or choose another folder with --folder`,
  );
}

export function writeDemoFile(folder: string, demo: DemoFile): void {
  writeFileSync(join(folder, FILE), JSON.stringify(demo, null, 2), { mode: 0o600 });
}
