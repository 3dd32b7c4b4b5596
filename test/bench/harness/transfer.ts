import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';
import type { Made } from './organizations.js';
import type { Child } from './process.js';

const CHUNK = randomBytes(1024 * 1024);
const agent = new Agent({ keepAlive: true });

/** Sends bytes by PUT and awaits the answer. @returns seconds */
export async function send(
  { port }: Pick<Child, 'port'>,
  path: string,
  bytes: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const begun = performance.now();
  const outgoing = open(port, path, 'PUT', { ...headers, 'content-length': String(bytes) });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (let left = bytes; left > 0; left -= CHUNK.length)
    if (!outgoing.write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK))
      await once(outgoing, 'drain');
  outgoing.end();
  const [answer] = await answered;
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  await drain(answer);
  return (performance.now() - begun) / 1000;
}

/** Receives a content and drops its bytes. @returns seconds in all, and until the first byte; the number of bytes */
export async function receive(
  { port }: Child,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ seconds: number; first_ms: number; bytes: number }> {
  const begun = performance.now();
  const outgoing = open(port, path, 'GET', headers);
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let first_ms = 0;
  let bytes = 0;
  for await (const chunk of answer) {
    first_ms ||= performance.now() - begun;
    bytes += (chunk as Buffer).length;
  }
  return { seconds: (performance.now() - begun) / 1000, first_ms, bytes };
}

/** Calls the API with JSON. */
export async function call(
  { port }: Child,
  { drive_id, token }: Made,
  path: string,
  body: unknown,
): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/drive/${drive_id}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

function open(port: number, path: string, method: string, headers: RequestOptions['headers']) {
  return request({ port, host: '127.0.0.1', path, method, agent, ...(headers && { headers }) });
}

async function drain(answer: IncomingMessage): Promise<void> {
  answer.resume();
  if (!answer.readableEnded) await once(answer, 'end');
}
