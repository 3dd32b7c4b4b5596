import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Makes Node.js cache compiled code in `dist/.compile-cache` for faster starts. Applies to modules imported after
 * this call. If the folder is not writable, nothing is cached.
 */
export function keepCompiledCode(): void {
  // The cache is beside the code: a user who can write there can already change the code.
  enableCompileCache(join(import.meta.dirname, '..', '.compile-cache'));
}
