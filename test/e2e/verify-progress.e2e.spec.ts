import type { Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

describe('verify as an event stream', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    for (let at = 0; at < 5; at++) await org.admin.post('/groups/create', { name: `G ${at}` });
  });
  afterAll(() => service.stop());

  const verify = (client: Client, body: object = {}): Promise<Response> =>
    fetch(`${service.url}/v1/drive/${org.drive_id}/organization/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify(body),
    });

  it('tells the progress from the first event on, then what the plain answer tells', async () => {
    const { duration_ms, ...plain } = (await org.admin.post('/organization/verify', {})).data;
    expect(duration_ms).toBeGreaterThanOrEqual(0);
    const answer = await verify(org.admin);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const messages = (await answer.text())
      .trimEnd()
      .split('\n\n')
      .map((message) => {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(message)!;
        return { event, data: JSON.parse(data!) };
      });
    const events_total = plain.checked_events;
    expect(messages[0]).toEqual({ event: 'progress', data: { checked_events: 0, events_total } });
    expect(messages.at(-1)).toEqual({
      event: 'result',
      data: { ...plain, duration_ms: expect.any(Number) },
    });
    expect(messages.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true);
  });

  it('is refused as the plain request is, before any event', async () => {
    const denied = await verify(org.members[0]!);
    expect(denied.status).toBe(403);
    expect(((await denied.json()) as any).err.type).toBe('permission.denied');
    const malformed = await verify(org.admin, { digest: { drive_id: 7 } });
    expect(malformed.status).toBe(400);
    expect(((await malformed.json()) as any).err.details[0].pointer).toBe('/digest');
  });
});
