/** Which node is asked for the leader after one has failed. */
import { expect, it } from '@jest/globals';
import { credentials } from '@grpc/grpc-js';
import discovery from '@kurrent/kurrentdb-client/dist/Client/discovery.js';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { startKurrentServer } from '../../../../test/servers/kurrentdb/server.js';
import { askFailedNodeLast } from './discovery.js';

/** The client alone would ask the failed node first in one search of three. */
const SEARCHES = 20;

it('another one, as long as one of them knows a leader', async () => {
  const server = await startKurrentServer();
  let connections = 0;
  const frozen = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
  const { port } = frozen.address() as AddressInfo;
  const failed = { address: '127.0.0.1', port };
  const serving = { address: '127.0.0.1', port: server.port };
  const settings = { endpoints: [failed, serving, { ...serving, address: 'localhost' }] };
  askFailedNodeLast();
  for (let nth = 0; nth < SEARCHES; nth++) {
    const found = await discovery.discoverEndpoint(settings, credentials.createInsecure(), failed);
    expect(found.port).toBe(server.port);
  }
  expect(connections).toBe(0);
  frozen.close();
  await server.close();
});

it('the failed one again, if no other one answers', async () => {
  const server = await startKurrentServer();
  const gone = await startKurrentServer();
  await gone.stop();
  const failed = { address: '127.0.0.1', port: server.port };
  const settings = { endpoints: [failed, { ...failed, port: gone.port }] };
  askFailedNodeLast();
  const found = await discovery.discoverEndpoint(settings, credentials.createInsecure(), failed);
  expect(found.port).toBe(server.port);
  await gone.close();
  await server.close();
});
