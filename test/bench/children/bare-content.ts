import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fastify from 'fastify';
import { obey, say } from './parent.js';

/** Files as a server without anything else moves them: neither hashed nor encrypted nor brought to the disk. */
const folder = process.env.BARE_FOLDER!;
const app = fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Fastify, not Express
app.put('/:name', async (request) => {
  const { name } = request.params as { name: string };
  await pipeline(request.body as NodeJS.ReadableStream, createWriteStream(join(folder, name)));
  return { ok: true };
});
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Fastify, not Express
app.get('/:name', async (request, reply) => {
  const path = join(folder, (request.params as { name: string }).name);
  const { size } = await stat(path);
  return reply
    .type('application/octet-stream')
    .header('content-length', size)
    .send(createReadStream(path, { highWaterMark: 256 * 1024 }));
});
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Fastify, not Express
app.get('/', async () => ({ items: [] }));
await app.listen({ port: 0, host: '127.0.0.1' });
obey(() => app.close());
say({ says: 'ready', port: (app.server.address() as AddressInfo).port });
