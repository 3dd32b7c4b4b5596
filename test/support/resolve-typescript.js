import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';

/**
 * For `node --import`: lets Node run the sources as they are, whose imports and threads name the compiled files
 * (`./x.js`). So a spec can start a helper of its own as a process, and sources under test can start their threads,
 * without building them first.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const is_import = parentURL?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(specifier);
    // The program of a thread is named by its URL.
    const is_program = /^file:.*\.js$/.test(specifier);
    if (!is_import && !is_program) return next(specifier, context);
    const source = specifier.replace(/\.js$/, '.ts');
    // A few files are JavaScript themselves, and a thread may run compiled files.
    return next(existsSync(new URL(source, parentURL)) ? source : specifier, context);
  },
});

// Threads and processes of specs compile the same hundreds of sources: only the first ones do so.
enableCompileCache();
// Threads are ended without a last turn, so it is not left to their end.
setTimeout(flushCompileCache, 1_000).unref();
