import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * For `node --import`: lets Node run the sources as they are, whose imports name the compiled files (`./x.js`).
 * So a spec can start a helper of its own as a process without building it first.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (!parentURL?.endsWith('.ts') || !/^\.{1,2}\/.*\.js$/.test(specifier))
      return next(specifier, context);
    const source = specifier.replace(/\.js$/, '.ts');
    // A few files are JavaScript themselves.
    return next(existsSync(new URL(source, parentURL)) ? source : specifier, context);
  },
});
