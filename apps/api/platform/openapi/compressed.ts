import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Encodings of a text, the preferred one first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

const compressors: Record<Encoding, (text: Buffer) => Promise<Buffer>> = {
  br: (text) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: async (text) => text,
};

/** A text as sent: encodings are computed when first requested. */
export class CompressedText {
  private readonly etag: string;
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly text: Buffer,
    private readonly type: string,
  ) {
    // A weak tag: all encodings have it.
    this.etag = `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;
  }

  /** Sends it in an encoding that the client accepts; 304 if the client has it. */
  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { etag } = this;
    void reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    const encoding = encodingOf(headers['accept-encoding']);
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.type(`${this.type}; charset=utf-8`).send(await this.body(encoding));
  }

  private body(encoding: Encoding): Promise<Buffer> {
    const known = this.bodies.get(encoding) ?? compressors[encoding](this.text);
    this.bodies.set(encoding, known);
    return known;
  }
}

function encodingOf(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  return (negotiate(accepted, [...ENCODINGS]) as Encoding | null) ?? 'identity';
}
