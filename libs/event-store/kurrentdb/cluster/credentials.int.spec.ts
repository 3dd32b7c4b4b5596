/** Which user and password a server is told. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  ServerFeaturesService,
  StreamsService,
} from '../../../../test/servers/kurrentdb/protocol.js';
import { SupportedMethod, SupportedMethods } from '../../../../test/servers/kurrentdb/protocol.js';
import { issueCertificate } from '../../../../test/servers/certificate.js';
import { events, freshStream } from '../../contract-support.contract.js';
import { AppendOutcomeUnknown, type EventStore, StoreUnreachable } from '../../port.js';
import { openKurrentEventStore } from '../index.js';

type Call = { readonly metadata: ServerUnaryCall<unknown, unknown>['metadata'] };

const GONE = { code: status.UNAVAILABLE, details: 'gone' };

/** A server that stores nothing: it notes who asks. */
let server: Server;
let port: number;
let folder: string;
/** True: append streams are ended as after their last answer. */
let ends = false;
const told = { reads: [] as string[], appends: [] as string[] };

/** Credentials of the spec whose calls may arrive when it is over: its deadline is short. */
const HASTY = 'hasty:b';

function noteIn(list: string[], { metadata }: Call): void {
  const [authorization = ''] = metadata.get('authorization');
  const [, coded = ''] = String(authorization).split(' ');
  const credentials = Buffer.from(coded, 'base64').toString();
  if (credentials !== HASTY) list.push(credentials);
}

beforeAll(async () => {
  const { ca, cert, key } = issueCertificate();
  folder = mkdtempSync(join(tmpdir(), 'kurrent-credentials-'));
  writeFileSync(join(folder, 'ca.crt'), ca);
  server = new Server();
  server.addService(StreamsService, {
    read: (call: ServerWritableStream<unknown, unknown>) => {
      noteIn(told.reads, call);
      call.end();
    },
    batchAppend: (call: ServerDuplexStream<unknown, unknown>) => {
      noteIn(told.appends, call);
      call.on('error', () => {}).on('data', () => (ends ? call.end() : call.emit('error', GONE)));
    },
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) =>
      answer(null, supportedMethods()),
  });
  const credentials = ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) },
  ]);
  port = await new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
});
afterAll(() => {
  server.forceShutdown();
  rmSync(folder, { recursive: true });
});

function supportedMethods() {
  const [, service, method] = StreamsService.batchAppend.path.toLowerCase().split('/');
  const one = new SupportedMethod().setServiceName(service!).setMethodName(method!);
  return new SupportedMethods().setEventStoreServerVersion('23.10.6').setMethodsList([one]);
}

function open(userinfo: string, deadline_ms = 10_000): Promise<EventStore> {
  const ca = join(folder, 'ca.crt');
  const url = `kurrentdb://${userinfo}@localhost:${port}?tls=true&tlsCaFile=${ca}`;
  return openKurrentEventStore({ url, deadline_ms });
}

it('closes though the server has ended its append stream', async () => {
  ends = true;
  const store = await open(HASTY, 100);
  try {
    let failure: unknown;
    // On a busy machine 100 ms may pass before there is a connection.
    do failure = await store.append(freshStream(), 0, events(1)).catch((error: unknown) => error);
    while (failure instanceof StoreUnreachable);
    expect(failure).toBeInstanceOf(AppendOutcomeUnknown);
  } finally {
    ends = false;
    await store.close();
  }
});

describe('reads and appends', () => {
  it.each(['correct-horse', 'a@b', 'a:b', 'a/b', 'a%b', 'a%40b', 'a=b', 'a+b', 'a b', '@:/%=+ ü'])(
    'tell the server the password %j',
    async (password) => {
      told.reads.length = 0;
      told.appends.length = 0;
      const store = await open(`us%20er:${encodeURIComponent(password)}`);
      const append = store.append(freshStream(), 0, events(1));
      await expect(append).rejects.toThrow(AppendOutcomeUnknown);
      await store.close();
      expect(new Set(told.reads)).toEqual(new Set([`us er:${password}`]));
      expect(new Set(told.appends)).toEqual(new Set([`us er:${password}`]));
    },
  );
});
