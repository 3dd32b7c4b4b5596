import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { Signalling } from '../../libs/application/signalling/signalling.js';
import type { Client, Organization } from '../support/client.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { TestSocket } from '../support/socket.js';

const WEBRTC = '/organization/webrtc';
const TEXT_OF_64K = 'x'.repeat(65_536 - 64);

describe('WebSocket /organization/webrtc', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let file_id: string;
  let other_id: string;
  let root_folder: string;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    service = await TestService.start(env);
    org = await service.organization('Bob');
    bob = org.members[0]!;
    const disk = await makeDisk(org);
    ({ root_folder } = disk);
    ({ id: file_id } = await makeFile(org.admin, disk, 'call.txt'));
    ({ id: other_id } = await makeFile(org.admin, disk, 'other.txt'));
  };
  const stop = () => service.stop();

  const open = (who: Client = org.admin, file = file_id) =>
    TestSocket.open(who, `${WEBRTC}?file_id=${file}`);
  const refused = async (who: Client, path: string) => (await TestSocket.open(who, path)).closed;
  const listener = async (topic: string, who = org.admin, file = file_id) => {
    const socket = await open(who, file);
    socket.say({ type: 'subscribe', topics: [topic] });
    await socket.heard();
    return socket;
  };
  /** Takes the grants on a folder away, so that only the owner sees into it. */
  const closeTo = async (folder: string): Promise<void> => {
    const { data } = await org.admin.post('/permissions/directory/list', {
      filters: { resource_id: folder },
    });
    for (const { id } of data.items)
      await org.admin.post('/permissions/directory/delete', { permission_id: id });
  };
  const size = (): number => service.server.app.get(Signalling).size;

  describe('relays', () => {
    beforeAll(() => start());
    afterAll(stop);

    it('published messages, unchanged, to all subscribers of the topic', async () => {
      const [alice, robert] = [await listener('room'), await listener('room', bob)];
      const offer = { type: 'publish', topic: 'room', sdp: 'v=0', to: ['x', { y: null }] };
      alice.say(offer);
      expect(await robert.next()).toEqual(offer);
      expect(await alice.next()).toEqual(offer);
    });

    it('to no client without a subscription, nor after it ended', async () => {
      const [alice, robert] = [await listener('room'), await listener('room', bob)];
      robert.say({ type: 'unsubscribe', topics: ['room', 'never had'] });
      await robert.heard();
      const outsider = await open(bob);
      alice.say({ type: 'publish', topic: 'room' });
      alice.say({ type: 'publish', topic: 'another' });
      expect(await alice.next()).toEqual({ type: 'publish', topic: 'room' });
      await Promise.all([alice.heard(), robert.heard(), outsider.heard()]);
    });

    it('nothing from one file or organization to another', async () => {
      const theirs = await service.organization();
      const disk = await makeDisk(theirs);
      await makeFile(theirs.admin, disk, 'call.txt', { id: file_id });
      const [here, there, elsewhere] = [
        await listener('room'),
        await listener('room', org.admin, other_id),
        await listener('room', theirs.admin),
      ];
      here.say({ type: 'publish', topic: 'room', n: 1 });
      expect(await here.next()).toEqual({ type: 'publish', topic: 'room', n: 1 });
      await Promise.all([there.heard(), elsewhere.heard()]);
    });

    it('nothing to clients that left', async () => {
      const [alice, robert] = [await listener('room'), await listener('room', bob)];
      const before = size();
      await robert.close();
      alice.say({ type: 'publish', topic: 'room' });
      expect(await alice.next()).toMatchObject({ topic: 'room' });
      expect(size()).toBe(before - 1);
    });

    it.each([
      ['nonsense', 'a message must be JSON'],
      ['[]', 'type must be subscribe, unsubscribe, publish or ping'],
      ['null', 'a message must be a JSON object'],
      ['{"type":"shout"}', 'type must be subscribe, unsubscribe, publish or ping'],
      ['{"type":"publish"}', 'topic must be text of 1–256 characters'],
      [
        '{"type":"subscribe","topics":"a"}',
        'topics must be an array, each text of 1–256 characters',
      ],
      [
        '{"type":"unsubscribe","topics":[""]}',
        'topics must be an array, each text of 1–256 characters',
      ],
    ])('an error for %s, and goes on', async (text, message) => {
      const socket = await open();
      socket.say(text);
      expect(await socket.next()).toEqual({ type: 'error', message });
      await socket.heard();
    });

    it('topics of 256 characters and no longer', async () => {
      const socket = await listener('t'.repeat(256));
      socket.say({ type: 'publish', topic: 't'.repeat(256) });
      expect(await socket.next()).toMatchObject({ type: 'publish' });
      socket.say({ type: 'publish', topic: 't'.repeat(257) });
      expect(await socket.next()).toMatchObject({ type: 'error' });
    });

    it('from pages of any origin', async () => {
      const options = { origin: 'https://anywhere.example' };
      const socket = await TestSocket.open(bob, `${WEBRTC}?file_id=${file_id}`, options);
      expect(await socket.pong()).toEqual({ type: 'pong' });
    });

    it('with the token in the header, too', async () => {
      const options = { headers: { authorization: `Bearer ${bob.token}` } };
      const socket = await TestSocket.open(org.as(), `${WEBRTC}?file_id=${file_id}`, options);
      expect(await socket.pong()).toEqual({ type: 'pong' });
    });
  });

  describe('closes immediately', () => {
    beforeAll(() => start());
    afterAll(stop);

    it('with 1008 without a token that counts', async () => {
      const path = `${WEBRTC}?file_id=${file_id}`;
      const closed = (reason: string) => ({ code: 1008, reason });
      expect(await refused(org.as(), path)).toEqual(closed('token.missing'));
      expect(await refused(org.as('nonsense'), path)).toEqual(closed('token.malformed'));
      const theirs = await service.organization();
      expect(await refused(org.as(theirs.admin.token), path)).toEqual(closed('token.invalid'));
    });

    it('with 1008 without VIEW on the file', async () => {
      const disk = await makeDisk(org, { name: 'Closed' });
      await closeTo(disk.root_folder);
      const hidden = await makeFile(org.admin, disk, 'hidden.txt');
      const denied = { code: 1008, reason: 'permission.denied' };
      expect(await refused(bob, `${WEBRTC}?file_id=${hidden.id}`)).toEqual(denied);
      await (await open(bob)).heard();
      await (await open(org.admin, hidden.id)).heard();
    });

    it('with 1008 for a file that is not there, or no file id', async () => {
      const unknown = { code: 1008, reason: 'file.not-found' };
      expect(await refused(bob, `${WEBRTC}?file_id=FileID_none`)).toEqual(unknown);
      const invalid = { code: 1008, reason: 'request.invalid' };
      expect(await refused(bob, WEBRTC)).toEqual(invalid);
      expect(await refused(bob, `${WEBRTC}?file_id=FolderID_1`)).toEqual(invalid);
    });

    it('with 1008 for an organization that is not there', async () => {
      const path = `/v1/drive/DriveID_none${WEBRTC}?file_id=${file_id}`;
      const unknown = { code: 1008, reason: 'organization.not-found' };
      expect(await refused(service.client(), path)).toEqual(unknown);
    });

    it('with 1008 for a past point', async () => {
      const closed = await refused(org.admin, `${WEBRTC}?file_id=${file_id}&as_of=r1`);
      expect(closed).toEqual({ code: 1008, reason: 'request.no-past' });
    });
  });

  it('closes with 1013 over the rate limit', async () => {
    await start({ RATE_LIMITS: 'on', RATE_LIMIT_CLIENT: '5' });
    const path = `${WEBRTC}?file_id=${file_id}`;
    const codes: unknown[] = [];
    for (let at = 0; at < 6; at++) codes.push(await refused(org.as(), path));
    expect(codes).toContainEqual({ code: 1013, reason: 'rate.limited' });
    await stop();
  });

  describe('a request that is no WebSocket', () => {
    beforeAll(() => start());
    afterAll(stop);

    it('is 426 for callers with the permission, else refused like any other', async () => {
      const path = `${WEBRTC}?file_id=${file_id}`;
      const { status, err, headers } = await bob.get(path);
      expect([status, err.type]).toEqual([426, 'request.upgrade-required']);
      expect(headers.get('upgrade')).toBe('websocket');
      expect((await org.as().get(path)).status).toBe(401);
      expect((await bob.get(`${WEBRTC}?file_id=FileID_none`)).status).toBe(404);
    });

    it('is answered as ever, whatever it would rather be', async () => {
      const asked = request(`${service.url}/health`, {
        headers: { connection: 'Upgrade', upgrade: 'h2c' },
      }).end();
      const [answer] = await once(asked, 'response');
      expect(answer.statusCode).toBe(200);
      answer.resume();
      const elsewhere = new WebSocket(`${service.url.replace('http', 'ws')}/health`);
      const [error] = await once(elsewhere, 'error');
      expect(error.message).toBe('Unexpected server response: 200');
    });
  });

  describe('keeps to its bounds:', () => {
    afterEach(stop);

    it('peers of a file, of the process, and files of an organization', async () => {
      await start({
        SIGNALLING_ROOM_PEERS_MAX: '2',
        SIGNALLING_ROOMS_MAX: '1',
        SIGNALLING_PEERS_MAX: '3',
      });
      const full = { code: 1013, reason: 'signalling.full' };
      const first = await open();
      await (await open(bob)).heard();
      expect(await (await open()).closed).toEqual(full);
      expect(await (await open(bob, other_id)).closed).toEqual(full);
      const theirs = await service.organization();
      const file = await makeFile(theirs.admin, await makeDisk(theirs), 'theirs.txt');
      const their = await open(theirs.admin, file.id);
      await their.heard();
      await first.close();
      await (await open()).heard();
      const more = await makeFile(theirs.admin, await makeDisk(theirs, { name: 'D2' }), 'more.txt');
      await their.close();
      await (await open(theirs.admin, more.id)).heard();
      expect(await (await open(theirs.admin, more.id)).closed).toEqual(full);
    });

    it('peers of an organization, so that others find a place', async () => {
      await start({ SIGNALLING_PEERS_MAX: '4' });
      for (let nth = 0; nth < 3; nth++) await (await open()).heard();
      expect((await (await open(bob, other_id)).closed).reason).toBe('signalling.full');
      const theirs = await service.organization();
      const file = await makeFile(theirs.admin, await makeDisk(theirs), 'theirs.txt');
      await (await open(theirs.admin, file.id)).heard();
    });

    it('bytes of a message', async () => {
      await start({ SIGNALLING_MESSAGE_BYTES: '300' });
      const socket = await listener('t');
      const fixed = JSON.stringify({ type: 'publish', topic: 't', pad: '' }).length;
      const message = (pad: number) => ({ type: 'publish', topic: 't', pad: 'x'.repeat(pad) });
      socket.say(message(300 - fixed));
      expect(await socket.next()).toEqual(message(300 - fixed));
      socket.say(message(301 - fixed));
      expect(await socket.closed).toMatchObject({ code: 1009 });
    });

    it('messages a second', async () => {
      await start({ SIGNALLING_MESSAGES_PER_SECOND: '3' });
      const socket = await open();
      for (let at = 0; at < 3; at++) await socket.heard();
      for (let at = 0; at < 200; at++) socket.say({ type: 'ping' });
      const closed = { code: 1008, reason: 'signalling.too-many-messages' };
      expect(await socket.closed).toEqual(closed);
    });

    it('messages that the peers of an organization receive a second', async () => {
      await start({ SIGNALLING_RELAYED_PER_SECOND: '1' });
      const socket = await listener('t');
      const message = { type: 'publish', topic: 't' };
      for (let at = 0; at < 2; at++) socket.say(message);
      expect(await socket.next()).toEqual(message);
      const error = "not relayed: an organization's peers receive at most 1 messages per second";
      expect(await socket.next()).toEqual({ type: 'error', message: error });
      await socket.heard();
    });

    it('long messages, each as several', async () => {
      const long = { type: 'publish', topic: 't', text: 'x'.repeat(9_000) };
      await start({ SIGNALLING_RELAYED_PER_SECOND: '4' });
      const socket = await listener('t');
      for (let at = 0; at < 2; at++) socket.say(long);
      expect(await socket.next()).toEqual(long);
      expect(await socket.next()).toMatchObject({
        message: expect.stringContaining('not relayed'),
      });
    });

    it('long messages of a peer, each as several', async () => {
      const long = { type: 'publish', topic: 't', text: 'x'.repeat(9_000) };
      await start({ SIGNALLING_MESSAGES_PER_SECOND: '4' });
      const socket = await open();
      for (let at = 0; at < 2; at++) socket.say(long);
      const closed = { code: 1008, reason: 'signalling.too-many-messages' };
      expect(await socket.closed).toEqual(closed);
    });

    it('topics of a peer', async () => {
      await start({ SIGNALLING_TOPICS_MAX: '2' });
      const socket = await open();
      socket.say({ type: 'subscribe', topics: ['a', 'b', 'a'] });
      await socket.heard();
      socket.say({ type: 'subscribe', topics: ['c'] });
      const message = 'at most 2 topics may be subscribed to at a time';
      expect(await socket.next()).toEqual({ type: 'error', message });
      socket.say({ type: 'publish', topic: 'c' });
      await socket.heard();
      socket.say({ type: 'unsubscribe', topics: ['a'] });
      socket.say({ type: 'subscribe', topics: ['c'] });
      socket.say({ type: 'publish', topic: 'c' });
      expect(await socket.next()).toEqual({ type: 'publish', topic: 'c' });
    });

    it('text only', async () => {
      await start();
      const socket = await open();
      socket.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
      expect(await socket.closed).toEqual({ code: 1003, reason: 'signalling.text-only' });
    });

    it('silence', async () => {
      await start({ SIGNALLING_IDLE_MS: '100' });
      expect(await (await open()).closed).toEqual({ code: 1000, reason: 'signalling.idle' });
    });

    it('peers that answer no ping', async () => {
      await start({ SIGNALLING_HEARTBEAT_MS: '50' });
      const options = { autoPong: false };
      const socket = await TestSocket.open(bob, `${WEBRTC}?file_id=${file_id}`, options);
      expect(await socket.closed).toMatchObject({ code: 1006 });
    });

    it('peers that read nothing', async () => {
      await start({ SIGNALLING_UNREAD_BYTES: '65536', SIGNALLING_MESSAGES_PER_SECOND: '10000' });
      const [lazy, speaker] = [await listener('t', bob), await open()];
      lazy.socket.pause();
      const sent = 400;
      for (let at = 0; at < sent; at++) {
        speaker.say({ type: 'publish', topic: 't', pad: TEXT_OF_64K });
        await speaker.heard();
      }
      expect(size()).toBe(1);
      lazy.socket.resume();
      expect(await lazy.closed).toMatchObject({ code: 1006 });
      expect(lazy.waiting).toBeLessThan(sent);
    });

    it('peers that together read too little', async () => {
      await start({
        SIGNALLING_ALL_UNREAD_BYTES: '1048576',
        SIGNALLING_UNREAD_BYTES: '67108864',
        SIGNALLING_MESSAGES_PER_SECOND: '10000',
      });
      const lazy = await Promise.all(Array.from({ length: 4 }, () => listener('t', bob)));
      for (const { socket } of lazy) socket.pause();
      const [reading, speaker] = [await listener('t'), await open()];
      // The system's buffers take some megabytes for each.
      for (let at = 0; at < 400; at++) {
        speaker.say({ type: 'publish', topic: 't', pad: TEXT_OF_64K });
        await Promise.all([reading.next(), speaker.heard()]);
      }
      expect(size()).toBe(2);
    });
  });

  describe('checks again with every ping', () => {
    // A client that cannot answer a ping until the next one is cut off, also on a busy machine.
    beforeAll(() => start({ SIGNALLING_HEARTBEAT_MS: '500' }));
    afterAll(stop);
    const denied = { code: 1008, reason: 'permission.denied' };

    it('whether the key still counts', async () => {
      const key = await org.admin.post('/api_keys/create', { name: 'Short' });
      const socket = await open(org.as(key.data.value));
      await org.admin.post('/api_keys/delete', { id: key.data.id });
      expect(await socket.closed).toEqual(denied);
    });

    it('whether the peer may view the file', async () => {
      const [alice, robert] = [await open(), await open(bob)];
      await robert.heard();
      await closeTo(root_folder);
      expect(await robert.closed).toEqual(denied);
      await alice.heard();
    });

    it('whether the file is there', async () => {
      const socket = await open();
      const payload = { id: file_id, permanent: true };
      await org.admin.post('/directory/action', { actions: [{ action: 'DELETE_FILE', payload }] });
      expect(await socket.closed).toEqual(denied);
    });
  });

  it('closes with 1001 when the service stops, and keeps it from nothing', async () => {
    await start();
    const [alice, robert] = [await open(), await open(bob)];
    robert.socket.pause();
    await service.server.close();
    expect(await alice.closed).toEqual({ code: 1001, reason: 'server.stopping' });
    robert.socket.resume();
    await robert.closed;
    await service.restart();
    await stop();
  });
});
