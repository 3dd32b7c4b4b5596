import { parseArgs } from 'node:util';

import { serveControl } from './remote-control.js';
import { type KurrentServerOptions, startKurrentServer } from './server.js';

/**
 * The server as a process of its own: `--port`, `--file`, or all of its options as JSON. It ends with the process that
 * started it.
 */
const { values } = parseArgs({
  options: { port: { type: 'string' }, file: { type: 'string' }, options: { type: 'string' } },
});
const server = await startKurrentServer({
  port: Number(values.port ?? 0),
  file: values.file,
  ...(JSON.parse(values.options ?? '{}') as KurrentServerOptions),
});
const addresses = { url: server.url, port: server.port, control: await serveControl(server) };
console.log(JSON.stringify(addresses));
process.send?.(addresses);
process.once('disconnect', () => process.exit());
