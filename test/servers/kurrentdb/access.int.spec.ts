/** Users and their rights, as the real server answers. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { AccessDeniedError, jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';

import { counted, numbers } from './spec-support.js';
import { ADMIN_PASSWORD, type ServerWithUsers, startWithUsers } from './with-users.js';

let users: ServerWithUsers;
let admin: KurrentDBClient;
let drive: KurrentDBClient;
const others: KurrentDBClient[] = [];

beforeAll(async () => {
  users = await startWithUsers();
  admin = KurrentDBClient.connectionString(users.url('admin', ADMIN_PASSWORD));
  drive = KurrentDBClient.connectionString(users.url());
});
afterEach(async () => {
  for (const one of others.splice(0)) await one.dispose();
});
afterAll(async () => {
  await drive.dispose();
  await admin.dispose();
  await users.close();
});

const denied = (asked: Promise<unknown>) => expect(asked).rejects.toThrow(AccessDeniedError);

it('lets everybody do everything with streams of users, and administrators alone read $all', async () => {
  await drive.appendToStream('first', counted(1, 2));
  expect(await numbers(drive.readStream('first'))).toEqual([1, 2]);
  await drive.setStreamMetadata('first', { maxCount: 1 });
  await drive.deleteStream('first');
  const read = await numbers(drive.readAll({ maxCount: 1 })).catch((error: unknown) => error);
  expect(read).toMatchObject({ type: 'access-denied' });
  for await (const { event } of admin.readAll({ maxCount: 1 })) expect(event).toBeDefined();
});

it('follows the ACL of a stream, else the default one', async () => {
  const data = { $userStreamAcl: { $w: 'drive', $d: '$admins', $mw: ['$admins'] } };
  await admin.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data }));
  await drive.appendToStream('second', counted(1));
  await denied(drive.deleteStream('second'));
  await denied(drive.setStreamMetadata('second', {}));
  await admin.setStreamMetadata('second', { acl: { writeRoles: ['$admins'] } });
  await denied(drive.appendToStream('second', counted(2)));
  await admin.appendToStream('second', counted(2));
  await denied(drive.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data })));
  expect(await numbers(admin.readStream('second'))).toEqual([1, 2]);
});

it('answers nobody with a wrong password', async () => {
  const other = KurrentDBClient.connectionString(users.url('drive', 'wrong'));
  others.push(other);
  await denied(other.appendToStream('third', counted(1)));
  const read = await numbers(other.readStream('third')).catch((error: unknown) => error);
  expect(read).toMatchObject({ type: 'access-denied' });
});
