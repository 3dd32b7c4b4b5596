/** What operators are told when the service cannot use its event store: one sentence for each reason. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CertificateOptions, issueCertificate } from '../../../../test/servers/certificate.js';
import { startKurrentServer } from '../../../../test/servers/kurrentdb/server.js';
import { openKurrentEventStore } from '../index.js';

const PASSWORD = 'correct-horse';
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function eventStore(): Promise<number> {
  const server = await startKurrentServer();
  closers.push(() => server.close());
  return server.port;
}

/** A server with TLS that never gets further than its certificate; the path of what it is to be trusted by. */
async function withTls(options: CertificateOptions): Promise<{ port: number; ca: string }> {
  const { ca, cert, key } = issueCertificate(options);
  const server = createTls({ cert, key, ALPNProtocols: ['h2'] });
  server.on('tlsClientError', () => {}).on('secureConnection', (one) => one.on('error', () => {}));
  return { port: await listen(server), ca: file('ca.crt', ca) };
}

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kurrent-probe-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** The error of opening a store there. */
async function refusal(place: string, query: string): Promise<Error & { may_pass?: boolean }> {
  const url = `kurrentdb://admin:${PASSWORD}@${place}?${query}`;
  const thrown = await openKurrentEventStore({ url }).then(
    () => new Error('opened'),
    (error: Error) => error,
  );
  expect(thrown.message).not.toContain(PASSWORD);
  return thrown;
}

describe('an event store that cannot be used', () => {
  it('refuses the connection', async () => {
    const closed = createTcp();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    for (const tls of [true, false])
      expect(await refusal(`127.0.0.1:${port}`, `tls=${tls}`)).toMatchObject({
        message: `the event store at 127.0.0.1:${port} refuses the connection`,
        may_pass: true,
      });
  });

  it('does not resolve', async () => {
    expect(await refusal('nowhere.invalid:2113', 'tls=false')).toMatchObject({
      message: 'the event store at nowhere.invalid:2113 does not resolve',
      may_pass: true,
    });
  });

  it('answers without TLS', async () => {
    expect(await refusal(`127.0.0.1:${await eventStore()}`, 'tls=true')).toMatchObject({
      message: expect.stringMatching(/answers without TLS: set tls=false$/),
      may_pass: false,
    });
  });

  it('answers with TLS only', async () => {
    const { port } = await withTls({});
    const { message } = await refusal(`localhost:${port}`, 'tls=false');
    expect(message).toMatch(/answers with TLS only: set tls=true$/);
  });

  it.each([true, false])('is another service (tls=%s)', async (tls) => {
    const port = await listen(createHttp((_, answer) => answer.end('hello')));
    const { message } = await refusal(`127.0.0.1:${port}`, `tls=${tls}`);
    expect(message).toMatch(/is not an EventStoreDB or KurrentDB$/);
  });

  it.each<[string, CertificateOptions, boolean]>([
    ['a certificate that has expired', { from: new Date(0), until: new Date(86_400_000) }, true],
    ['a certificate for other names than localhost', { name: 'elsewhere.test' }, true],
    ['a certificate of an unknown authority: set tlsCaFile', {}, false],
  ])('has %s', async (what, options, is_trusted) => {
    const { port, ca } = await withTls(options);
    const trust = is_trusted ? `&tlsCaFile=${ca}` : '';
    const error = await refusal(`localhost:${port}`, `tls=true${trust}`);
    expect(error.message).toContain(`the event store at localhost:${port} has ${what}`);
    expect(error.may_pass).toBe(false);
  });

  it('is to be trusted by a file that is not there, or holds no certificate', async () => {
    const missing = await refusal('localhost:1', 'tls=true&tlsCaFile=/nowhere/ca.crt');
    expect(missing.message).toBe(
      'tlsCaFile of a connection string cannot be read: /nowhere/ca.crt',
    );
    const text = file('ca.crt', 'no certificate');
    const broken = file(
      'broken.crt',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
    for (const one of [text, broken]) {
      const wrong = await refusal('localhost:1', `tls=true&tlsCaFile=${one}`);
      expect(wrong.message).toBe(
        `tlsCaFile of a connection string contains no certificate: ${one}`,
      );
    }
  });
});
