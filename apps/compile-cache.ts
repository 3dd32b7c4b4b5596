import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps what Node.js compiles in `dist/.compile-cache`, so that the next start need not. Only for what is
 * imported after this call. Where the folder cannot be written nothing is kept.
 */
export function keepCompiledCode(): void {
  // Beside the code itself: a user who can write there can already change the code.
  enableCompileCache(join(import.meta.dirname, '..', '.compile-cache'));
}
