import { failure, FakeService, type Step } from '../testing/fake-service.js';
import { connect, type VerifyProgress } from './index.js';

const VERDICT = { valid: true, checked_events: 3 };

/** Sends progress, then the result, if there is one. */
const verifying =
  (checked: readonly number[], has_result: boolean): Step =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'drive-revision': '2' });
    for (const checked_events of checked) {
      const data = JSON.stringify({ checked_events, events_total: 3 });
      response.write(`event: progress\ndata: ${data}\n\n`);
    }
    response.end(has_result ? `event: result\ndata: ${JSON.stringify(VERDICT)}\n\n` : '');
  };

describe('a verification with progress', () => {
  let service: FakeService;

  beforeAll(async () => {
    service = await FakeService.start();
  });
  afterAll(() => service.stop());

  const verify = (on_progress: (progress: VerifyProgress) => void) =>
    connect({
      url: service.url,
      drive_id: 'DriveID_1',
      retry: { first_wait_ms: 1, max_wait_ms: 5, attempts: 2 },
    }).organization.verify({ digest: { size: 3 } }, { on_progress });

  it('begins anew if the connection is lost, and gives the result with its headers', async () => {
    service.script(verifying([0, 1], false), verifying([0, 2], true));
    const checked: number[] = [];
    const call = verify(({ checked_events }) => checked.push(checked_events));
    expect(await call.withResponse()).toMatchObject({ data: VERDICT, revision: 2 });
    expect(checked).toEqual([0, 1, 0, 2]);
    expect(service.received).toMatchObject([
      { headers: { accept: 'text/event-stream' }, body: '{"digest":{"size":3}}' },
      { headers: { accept: 'text/event-stream' } },
    ]);
  });

  it('fails with an error of the function that is told the progress, and is not repeated', async () => {
    service.script(verifying([0, 1], true));
    const fault = new Error('of the caller');
    const verified = verify(() => {
      throw fault;
    });
    await expect(verified).rejects.toBe(fault);
    expect(service.received).toHaveLength(1);
  });

  it('fails with the error of the service, or if no result comes', async () => {
    service.script(failure(403, 'permission.denied'));
    await expect(verify(() => {})).rejects.toMatchObject({ type: 'permission.denied' });
    service.script(verifying([0], false), verifying([0], false));
    await expect(verify(() => {})).rejects.toThrow('The connection was lost within the answer');
  });
});
