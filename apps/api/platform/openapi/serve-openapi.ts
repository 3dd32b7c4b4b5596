import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { CompressedText } from './compressed.js';
import type { OpenApiOptions } from './document.js';
import { buildOpenApi } from './openapi.js';
import { serveDocs } from './serve-docs.js';

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
