import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MASTER_KEY = new Uint8Array(32).fill(1);

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'event-store-'));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true });
