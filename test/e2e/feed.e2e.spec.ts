import type { Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

interface Message {
  readonly id: number;
  readonly event: string;
  readonly data: any;
}

/** A listener that reads as messages come. */
class Listener {
  private text = '';
  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly aborting: AbortController,
  ) {}

  static async on(who: Client, query = '', headers: Record<string, string> = {}) {
    const aborting = new AbortController();
    const response = await fetch(`${who.base}/organization/events${query}`, {
      headers: { authorization: `Bearer ${who.token}`, ...headers },
      signal: aborting.signal,
    });
    return new Listener(response, response.body!.getReader(), aborting);
  }

  /** The next block, a message or a comment; null at the end. */
  async block(): Promise<string | null> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.text += Buffer.from(value).toString();
    }
  }

  /** So many messages, heartbeats left out; fewer if the feed ends. */
  async messages(count: number): Promise<Message[]> {
    const found: Message[] = [];
    while (found.length < count) {
      const block = await this.block();
      if (block === null) return found;
      if (block.startsWith(':')) continue;
      const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(block)!;
      found.push({ id: Number(id), event: event!, data: JSON.parse(data!) });
    }
    return found;
  }

  close(): void {
    this.aborting.abort();
  }
}

describe('GET /organization/events', () => {
  let service: TestService;
  let org: Organization;
  let shift_ms: number;

  beforeEach(async () => {
    shift_ms = 0;
    const clock = () => Date.now() + shift_ms;
    service = await TestService.start({ FEED_HEARTBEAT_MS: '50' }, { clock });
    org = await service.organization('Bob');
  });
  afterEach(() => service.stop());

  const make = (name: string) => org.admin.post('/groups/create', { name });
  const revision = async (): Promise<number> =>
    (await org.admin.post('/organization/replay')).data.revision;

  it('sends every new event, as event records', async () => {
    const listener = await Listener.on(org.admin);
    expect(listener.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const { data } = await make('Live');
    const [message] = await listener.messages(1);
    expect(message).toMatchObject({ id: await revision(), event: 'GroupCreated' });
    expect(message!.data).toMatchObject({
      revision: message!.id,
      type: 'GroupCreated',
      command: 'CreateGroup',
      actor: { user_id: org.admin.user_id },
      data: { group_id: data.id, name: 'Live' },
    });
    expect(message!.data.resource_ids).toContain(data.id);
    expect(message!.data.hash).toMatch(/^[0-9a-f]{64}$/);
    listener.close();
  });

  it('masks secrets', async () => {
    const listener = await Listener.on(org.admin);
    await org.admin.post('/api_keys/create', { name: 'Key' });
    const [message] = await listener.messages(1);
    expect(message!.data.data.digest).toBe('***');
    listener.close();
  });

  it('begins at the first event, and continues live without gap or duplicate', async () => {
    for (let at = 0; at < 60; at++) await make(`Before ${at}`);
    const listener = await Listener.on(org.admin, '?from=-1');
    const reading = listener.messages((await revision()) + 1 + 40);
    await Promise.all(Array.from({ length: 40 }, (_, at) => make(`During ${at}`)));
    const ids = (await reading).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, at) => at));
    listener.close();
  });

  it('resumes after the last id, also over a restart', async () => {
    await make('A');
    await make('B');
    const last = await revision();
    await service.restart();
    const admin = org.as(org.admin.token);
    Object.assign(admin, { base: `${service.url}/v1/drive/${org.drive_id}` });
    const headers = { 'Last-Event-ID': String(last - 1) };
    const listener = await Listener.on(admin, '?from=0', headers);
    await admin.post('/groups/create', { name: 'C' });
    const names = (await listener.messages(2)).map(({ data }) => data.data.name);
    expect(names).toEqual(['B', 'C']);
    listener.close();
  });

  it('sends heartbeats while nothing happens', async () => {
    const listener = await Listener.on(org.admin);
    expect([await listener.block(), await listener.block()]).toEqual([':', ':']);
    listener.close();
  });

  it('lasts, though its heartbeats come less often than a response must have progress', async () => {
    const server = await TestService.start({
      FEED_HEARTBEAT_MS: '1500',
      REQUEST_TIMEOUT_MS: '1000',
    });
    const { admin } = await server.organization();
    const listener = await Listener.on(admin);
    const blocks = [await listener.block(), await listener.block(), await listener.block()];
    expect(blocks).toEqual([':', ':', ':']);
    listener.close();
    await server.stop();
  });

  it('answers immediately, before the first heartbeat', async () => {
    const server = await TestService.start({ FEED_HEARTBEAT_MS: '600000' });
    const { admin } = await server.organization();
    const listener = await Listener.on(admin);
    expect(await listener.block()).toBe(':');
    listener.close();
    await server.stop();
  });

  it('takes the token in the query too', async () => {
    const query = `?auth=${encodeURIComponent(org.admin.token!)}&from=-1`;
    const listener = await Listener.on(org.as(), query, { authorization: '' });
    expect(await listener.messages(1)).toMatchObject([{ id: 0, event: 'OrganizationSpawned' }]);
    listener.close();
  });

  it('is for the owner and holders of VIEW on AUDIT, and ends with the right', async () => {
    const [bob] = org.members;
    expect((await bob!.get('/organization/events')).status).toBe(403);
    expect((await org.as('none').get('/organization/events')).status).toBe(401);
    const { data: grant } = await org.admin.post('/permissions/system/create', {
      resource_id: 'TABLE_AUDIT',
      permission_types: ['VIEW'],
      granted_to: bob!.user_id,
    });
    const listener = await Listener.on(bob!);
    await make('Seen');
    expect(await listener.messages(1)).toHaveLength(1);
    await org.admin.post('/permissions/system/delete', { permission_id: grant.id });
    expect(await listener.messages(1)).toEqual([]);
  });

  it('ends when the key runs out, without an event', async () => {
    const key = await org.admin.post('/api_keys/create', {
      name: 'Short',
      expires_at: Date.now() + 60_000,
    });
    const listener = await Listener.on(org.as(key.data.value));
    expect(await listener.block()).not.toBeNull();
    shift_ms = 60_001;
    expect(await listener.messages(1)).toEqual([]);
  });

  it.each(['x', '1.5', '-2', '1000000'])('refuses 400 from %j', async (from) => {
    const { status, err } = await org.admin.get(`/organization/events?from=${from}`);
    expect([status, err.message]).toEqual([
      400,
      expect.stringMatching(/^The query parameter from /),
    ]);
  });

  it('says by its error whether the caller is wrong or the organization has lost events', async () => {
    const typeOf = async (id: number | string): Promise<string> => {
      const headers = { 'Last-Event-ID': String(id) };
      return (await org.admin.get('/organization/events', headers)).err.type;
    };
    expect(await typeOf((await revision()) + 1)).toBe('feed.beyond-last-event');
    expect(await typeOf('x')).toBe('request.invalid');
  });

  it('refuses 400 such a Last-Event-ID, also to callers without the permission', async () => {
    const headers = { 'Last-Event-ID': 'x' };
    const { status, err } = await org.members[0]!.get('/organization/events', headers);
    expect([status, err.message]).toEqual([
      400,
      'The header Last-Event-ID must be a revision, or -1.',
    ]);
  });

  it('ends in order when the service stops', async () => {
    const listener = await Listener.on(org.admin);
    const ended = listener.messages(1);
    await service.server.close();
    expect(await ended).toEqual([]);
    await service.restart();
  });
});
