import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import { SwaggerModule } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { OpenApiOptions } from './document.js';
import { buildOpenApi } from './openapi.js';

/** Encodings of the document, the preferred one first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

const compressors: Record<Encoding, (json: Buffer) => Promise<Buffer>> = {
  br: (json) =>
    promisify(brotliCompress)(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: async (json) => json,
};

/** The document as sent: encodings are computed when first requested. */
class SentDocument {
  readonly etag: string;
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(private readonly json: Buffer) {
    this.etag = createHash('sha256').update(json).digest('hex').slice(0, 16);
  }

  body(encoding: Encoding): Promise<Buffer> {
    const known = this.bodies.get(encoding) ?? compressors[encoding](this.json);
    this.bodies.set(encoding, known);
    return known;
  }
}

/**
 * Serves the document at `/openapi.json` and as a page at `/docs`, without resources of other hosts.
 * Call it before `init`/`listen`; the first request for the document builds it.
 */
export function serveOpenApi(app: NestFastifyApplication, options: OpenApiOptions): void {
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  let document: SentDocument | undefined;
  server.get('/openapi.json', async (request, reply) => {
    document ??= new SentDocument(Buffer.from(JSON.stringify(buildOpenApi(app, options))));
    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
    const encoding = encodingOf(accepted);
    // A weak tag: all encodings have it.
    const etag = `W/"${document.etag}"`;
    void reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    if (known === etag) return reply.code(304).send();
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    void reply.type('application/json; charset=utf-8');
    return reply.send(await document.body(encoding));
  });
  SwaggerModule.setup('docs', app, () => buildOpenApi(app, options), {
    raw: false,
    customSiteTitle: options.title,
  });
}

function encodingOf(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  return (negotiate(accepted, [...ENCODINGS]) as Encoding | null) ?? 'identity';
}
