import { existsSync } from 'node:fs';
import { join } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** This program's folder in `dist`, or the repository if it runs from source. */
const ROOT = join(import.meta.dirname, '../../..');

/** The folder with the built console; null if it was not built. */
export function consoleFolder(): string | null {
  const folders = [join(ROOT, 'console'), join(ROOT, 'dist', 'console')];
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? null;
}

/** Scripts, styles and requests of this server only; `blob:` is for previews of downloaded files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};

/** Names of assets contain a hash of their content. */
const ASSETS = { maxAge: '365d', immutable: true };

/**
 * Serves the console below `/console`: assets by name, and the page for all other paths, which the page's own router
 * interprets. `/auto-login` is the page, too; it removes the token from the address.
 * @param folder the built console, with precompressed copies of its files
 */
export function serveConsole(server: FastifyInstance, folder: string): void {
  void server.register(async (scope) => {
    await scope.register(serveFiles, { root: folder, serve: false, preCompressed: true });
    scope.get('/console', (_, reply) => page(reply, 'no-cache'));
    scope.get('/console/*', (_, reply) => page(reply, 'no-cache'));
    scope.get<{ Params: { '*': string } }>('/console/assets/*', ({ params }, reply) =>
      reply.headers(HEADERS).sendFile(`assets/${params['*']}`, ASSETS),
    );
    // Its address contains a key.
    scope.get('/auto-login', (_, reply) => page(reply, 'no-store'));
  });
}

function page(reply: FastifyReply, cache: string): FastifyReply {
  return reply
    .headers({ ...HEADERS, 'cache-control': cache })
    .sendFile('index.html', { cacheControl: false });
}
