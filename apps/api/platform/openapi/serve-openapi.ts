import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { CompressedText } from './compressed.js';
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-page.js';
import type { OpenApiOptions } from './document.js';
import { buildOpenApi } from './openapi.js';

const VIEWER = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');

const FILES = {
  'swagger-ui-bundle.js': 'application/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
} as const;

/** Scripts, styles and requests of this server only; the viewer's styles contain images. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the document at `/openapi.json` and as a page at `/docs`, without resources of other hosts.
 * Call it before `init`/`listen`; the first request for the document builds it.
 */
export function serveOpenApi(app: NestFastifyApplication, options: OpenApiOptions): void {
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  let document: CompressedText | undefined;
  server.get('/openapi.json', (request, reply) => {
    document ??= new CompressedText(
      Buffer.from(JSON.stringify(buildOpenApi(app, options))),
      'application/json',
    );
    return document.send(request, reply);
  });
  serveDocs(server, options.title);
}

/** Serves the page of the API document: Swagger UI, with a search of operations, grouped by task. */
function serveDocs(server: FastifyInstance, title: string): void {
  const serve = (path: string, type: string, read: () => Promise<Buffer>): void => {
    let text: Promise<CompressedText> | undefined;
    server.get(path, async (request, reply) => {
      text ??= read().then((bytes) => new CompressedText(bytes, type));
      return (await text).send(request, reply.headers(HEADERS));
    });
  };
  serve('/docs', 'text/html', async () => Buffer.from(pageOf(title)));
  serve('/docs/start.js', 'application/javascript', async () => Buffer.from(DOCS_SCRIPT));
  serve('/docs/docs.css', 'text/css', async () => Buffer.from(DOCS_STYLE));
  for (const [name, type] of Object.entries(FILES))
    serve(`/docs/${name}`, type, () => readFile(join(VIEWER, name)));
}

function pageOf(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}
