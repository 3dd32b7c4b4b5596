import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';

/** Makes the folder, for its owner alone, if it is missing. */
export function ensureFolder(data_dir: string): void {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
}

/**
 * Makes a file for its owner alone, if it is missing; SQLite gives its side files the same mode.
 * An existing file is not opened: closing it again would drop SQLite's own locks in this process.
 */
export function ensurePrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/** Makes the names of new files in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
