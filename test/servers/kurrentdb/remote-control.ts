import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CONTROLS, type KurrentControl } from './control.js';

/**
 * Lets other processes call the controls: `POST /<name>` with the JSON array of arguments, on a port of its own so
 * that it answers also while the server itself is frozen or stopped.
 * @returns the address for `remoteControl`
 */
export async function serveControl(control: KurrentControl): Promise<string> {
  const server = createServer((request, response) => {
    call(control, request).then(
      (result) => response.end(JSON.stringify(result ?? null)),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function call(control: KurrentControl, request: IncomingMessage): Promise<unknown> {
  const name = CONTROLS.find((known) => `/${known}` === request.url);
  if (!name) throw new Error(`no control ${request.url}; there are ${CONTROLS.join(', ')}`);
  const chunks = await request.toArray();
  const method = control[name] as (...args: unknown[]) => Promise<unknown>;
  return method.apply(control, JSON.parse(Buffer.concat(chunks).toString() || '[]'));
}

/** The controls of a server in another process. */
export function remoteControl(address: string): KurrentControl {
  const methods = CONTROLS.map((name) => {
    const method = async (...args: unknown[]) => {
      const body = JSON.stringify(args);
      const response = await fetch(`${address}/${name}`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
    return [name, method];
  });
  return Object.fromEntries(methods) as KurrentControl;
}
