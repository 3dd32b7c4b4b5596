import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Texts that gain from compression. */
const COMPRESSIBLE = /\.(css|html|js|svg)$/;

/** Writes `.br` and `.gz` beside each file, so that the server need not compress. */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle() {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      for (const { name, parentPath } of entries) {
        if (!COMPRESSIBLE.test(name)) continue;
        const path = join(parentPath, name);
        const content = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [precompress()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari18'],
    // The policy of the page allows no data: for fonts or scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What counts is the compressed size of the first load, which a test looks at.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      onLog(level, log, handle) {
        // Mantine's modules say where React's server components end; there are none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: {
    // `npx vite apps/console` during development, beside `npm start`.
    proxy: { '/v1': 'http://127.0.0.1:3000' },
  },
});
