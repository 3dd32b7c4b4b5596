/** What the server denies a user, at start and to a running process: a sentence for each right. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';

import {
  ADMIN_PASSWORD,
  DRIVE_PASSWORD,
  type ServerWithUsers,
  startWithUsers,
} from '../../../../test/servers/kurrentdb/with-users.js';
import { type CertificateOptions, issueCertificate } from '../../../../test/servers/certificate.js';
import { startKurrentServer } from '../../../../test/servers/kurrentdb/server.js';
import { events, freshStream } from '../../contract-support.contract.js';
import { type EventStore, NO_STREAM, StoreRefused, StreamDeleted } from '../../port.js';
import { openKurrentEventStore } from '../index.js';

type Acl = Readonly<Record<string, string | readonly string[]>>;

const ALL = { $r: 'drive', $w: 'drive', $mr: 'drive' };
const GRANT = 'an administrator grants it by: ops kurrentdb grant --user drive';

const EXPIRED = { from: new Date(0), until: new Date(86_400_000) };

let users: ServerWithUsers;
let admin: KurrentDBClient;
let store: EventStore | undefined;

beforeEach(async () => {
  users = await startWithUsers();
  admin = KurrentDBClient.connectionString(users.url('admin', ADMIN_PASSWORD));
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  await admin.dispose();
  await users.close();
});

/** Sets who may read `$all`, and what the user may do with streams. */
async function allow(all: string, streams: Acl): Promise<void> {
  await admin.appendToStream(
    '$settings',
    jsonEvent({
      type: 'update-default-acl',
      data: { $userStreamAcl: { $d: '$admins', ...streams } },
    }),
  );
  await admin.appendToStream(
    '$$$all',
    jsonEvent({ type: '$metadata', data: { $acl: { $r: ['$admins', all] } } }),
  );
}

async function open(): Promise<EventStore> {
  store = await openKurrentEventStore({ url: users.url(), deadline_ms: 10_000 });
  return store;
}

/** The error of a call, which shows no password. */
async function refusal(asked: Promise<unknown>): Promise<StoreRefused> {
  const error = await asked.then(
    () => new Error('answered'),
    (reason: Error) => reason,
  );
  for (const password of [ADMIN_PASSWORD, DRIVE_PASSWORD])
    expect(`${error.message} ${error.stack}`).not.toContain(password);
  return error as StoreRefused;
}

const at = (): string => `the event store at localhost:${users.server.port}`;

describe('at start', () => {
  it.each([
    ['to read $all, which is the administrators’ alone by default', 'nobody', ALL],
    ['to read streams', 'drive', { ...ALL, $r: '$admins' }],
    ['to read the metadata of streams', 'drive', { ...ALL, $mr: '$admins' }],
  ])('is told that it lacks the right %s', async (right, all, streams) => {
    await allow(all, streams);
    const error = await refusal(open());
    expect(error.message).toBe(`${at()} denies the user drive the right ${right}; ${GRANT}`);
    expect(error).toHaveProperty('may_pass', false);
  });

  it('is told that its password is another', async () => {
    await allow('drive', ALL);
    await users.server.setPassword('drive', 'another');
    const { message } = await refusal(open());
    expect(message).toBe(`${at()} does not accept the user drive with this password`);
  });
});

describe('a running process', () => {
  let running: EventStore;
  beforeEach(async () => {
    await allow('drive', ALL);
    running = await open();
    await running.checkAppends!(1);
  });

  it.each([
    [
      'to append events',
      { $w: '$admins' },
      () => running.append(freshStream(), NO_STREAM, events(1)),
    ],
    ['to append events', { $w: '$admins' }, () => running.checkAppends!(1)],
    ['to read streams', { $r: '$admins' }, () => running.head(freshStream())],
    ['to read the metadata of streams', { $mr: '$admins' }, () => running.retention!('drive-a')],
    [
      'to read the metadata of streams',
      { $mr: '$admins' },
      () => running.append(freshStream(), NO_STREAM, events(1)),
    ],
  ])('is told that the right %s was taken, until it is back', async (right, taken, ask) => {
    await allow('drive', { ...ALL, ...taken });
    const error = await refusal(ask());
    expect(error).toBeInstanceOf(StoreRefused);
    expect(error.message).toBe(`${at()} denies the user drive the right ${right}; ${GRANT}`);
    expect(error.public_message).toBe(`The event store denies this service the right ${right}`);
    expect(error.of_appends).toBe(right.includes('append'));
    await allow('drive', ALL);
    await ask();
  });

  it('is told that the right to read $all was taken, also who follows all streams', async () => {
    const failed = Promise.withResolvers<unknown>();
    running.subscribeAll(-1, () => {}, failed.resolve);
    await allow('nobody', ALL);
    const error = await refusal(running.lastPosition());
    expect(error.public_message).toBe('The event store denies this service the right to read $all');
    await users.server.failSubscriptions();
    expect(await failed.promise).toBeInstanceOf(StoreRefused);
  });

  it('is told that its password was changed', async () => {
    await users.server.setPassword('drive', 'another');
    const error = await refusal(running.head(freshStream()));
    expect(error.message).toBe(`${at()} does not accept the user drive with this password`);
    expect(error.public_message).not.toContain('drive');
    await users.server.setPassword('drive', DRIVE_PASSWORD);
    await running.head(freshStream());
  });

  it('is told why its server cannot be reached', async () => {
    await users.server.stop();
    // What was sent into a broken connection may be stored.
    await refusal(running.append(freshStream(), 3, events(1)));
    for (const ask of [
      () => running.head(freshStream()),
      () => running.append(freshStream(), 3, events(1)),
    ]) {
      const error = await refusal(ask());
      expect(error.message).toMatch(/: the event store at localhost:\d+ refuses the connection$/);
      expect(error.public_message).toBe('The event store refuses the connection');
      expect(error).not.toBeInstanceOf(StoreRefused);
    }
    await users.server.start();
  });

  it.each<[string, CertificateOptions | null, string]>([
    ['has a certificate that has expired', EXPIRED, 'has a certificate that has expired'],
    [
      'has a certificate for other names than localhost',
      { name: 'elsewhere.test' },
      'has a certificate for other names than its own',
    ],
    ['answers without TLS: set tls=false', null, 'answers without TLS: set tls=false'],
  ])('is told that its server came back and %s', async (found, options, told) => {
    const { port } = users.server;
    await users.server.stop();
    const certificate = options ? issueCertificate(options) : undefined;
    if (certificate) users.file('ca.crt', certificate.ca);
    const other = await startKurrentServer({ port, certificate });
    try {
      await refusal(running.append(freshStream(), 3, events(1)));
      for (const ask of [
        () => running.head(freshStream()),
        () => running.append(freshStream(), 3, events(1)),
      ]) {
        const error = await refusal(ask());
        expect(error).toBeInstanceOf(StoreRefused);
        expect(error.message).toContain(`${at()} ${found}`);
        expect(error.public_message).toBe(`The event store ${told}`);
      }
    } finally {
      await other.close();
    }
  });

  it('tells a deleted stream from a denied one', async () => {
    const stream = freshStream();
    await running.append(stream, NO_STREAM, events(1));
    await admin.deleteStream(stream);
    await expect(running.head(stream)).rejects.toThrow(StreamDeleted);
  });
});
