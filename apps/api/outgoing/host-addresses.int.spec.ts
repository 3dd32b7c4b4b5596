import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { HostAddresses } from './host-addresses.js';

const A = 1;
const ADDRESS = [192, 0, 2, 7];

/** The name in a query, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (; query[at]; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  return { name: labels.join('.'), end: at + 5 };
}

/** Answers names of `known.example` with an address, those of `silent.example` never, and knows no others. */
function answered(query: Buffer): Buffer | null {
  const { name, end } = nameIn(query);
  if (name.endsWith('silent.example')) return null;
  const is_known = name.endsWith('known.example');
  const has_address = is_known && query.readUInt16BE(end - 4) === A;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(is_known ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(has_address ? 1 : 0, 6);
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...ADDRESS]);
  return Buffer.concat([head, query.subarray(12, end), ...(has_address ? [record] : [])]);
}

describe('addresses of hosts that users chose', () => {
  let server: Socket;
  let servers: string[];

  beforeAll(async () => {
    server = createSocket('udp4', (query, { port, address }) => {
      const answer = answered(query);
      if (answer) server.send(answer, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    servers = [`127.0.0.1:${server.address().port}`];
  });
  afterAll(() => void server.close());

  const look = (hosts: HostAddresses, host: string): Promise<unknown> =>
    new Promise((resolve) => {
      hosts.lookup(host, { all: true }, (error, found) => resolve(error?.code ?? found));
    });
  const known = [{ address: ADDRESS.join('.'), family: 4 }];
  /** Looks up names never. */
  const hanging: LookupFunction = () => {};

  it('come from the name servers', async () => {
    const hosts = new HostAddresses({ servers, system: hanging });
    expect(await look(hosts, 'www.known.example')).toEqual(known);
  });

  it('do not wait for names whose servers do not answer', async () => {
    const system: LookupFunction = (_, __, found) =>
      found(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    const hosts = new HostAddresses({ servers, system });
    const silent = Array.from({ length: 100 }, (_, nth) => look(hosts, `${nth}.silent.example`));
    expect(await Promise.race([...silent, look(hosts, 'www.known.example')])).toEqual(known);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['ENOTFOUND', 'EAI_AGAIN']));
  });

  it('come from the system where no name server knows them, one name at a time', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const system: LookupFunction = (host, _, found) => {
      asked.push(host);
      answers.push(() => found(null, [{ address: '10.0.0.1', family: 4 }]));
    };
    const hosts = new HostAddresses({ servers, system });
    const looking = [look(hosts, 'machine'), look(hosts, 'machine.of.hosts.example')];
    while (answers.length === 0) await new Promise(setImmediate);
    await look(hosts, 'www.known.example');
    expect(asked).toEqual(['machine']);
    answers[0]!();
    await looking[0];
    while (answers.length === 1) await new Promise(setImmediate);
    answers[1]!();
    expect(await looking[1]).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  it('are not looked up by the system for more than some names', async () => {
    const hosts = new HostAddresses({ servers, system: hanging });
    const looking = Array.from({ length: 33 }, (_, nth) => look(hosts, `machine${nth}`));
    expect(await Promise.race(looking)).toBe('EAI_AGAIN');
  });
});
