import { breakOff, failure, FakeService, type Step, success } from '../testing/fake-service.js';
import { connect } from './index.js';

/** Answers the service's part of tus; a file has its bytes afterwards. */
class Receiver {
  text = '';
  /** Once it was announced. */
  length: string | undefined;
  /** Steps in the place of the next answers to PATCH; they may store bytes before. */
  instead: Step[] = [];
  removed = 0;

  readonly step: Step = (request, response) => {
    const offset = { 'upload-offset': String(this.text.length) };
    const length = this.length === undefined ? {} : { 'upload-length': this.length };
    if (request.method === 'HEAD') response.writeHead(200, { ...offset, ...length }).end();
    else if (request.method === 'DELETE') {
      this.removed++;
      response.writeHead(204).end();
    } else if (request.method === 'PATCH') this.#patch(request, response);
    else if (request.path.endsWith('/uploads')) {
      this.announced(request);
      response.writeHead(201, { location: 'https://elsewhere.example/v1/uploads/u1' }).end();
    } else {
      const [{ payload }] = JSON.parse(request.body).actions;
      success([{ response: { result: { file: payload } } }])(request, response);
    }
  };

  announced({ headers }: Parameters<Step>[0]): void {
    const { 'upload-length': length } = headers;
    if (typeof length === 'string') this.length = length;
  }

  #patch: Step = (request, response) => {
    const instead = this.instead.shift();
    if (instead) {
      instead(request, response);
      return;
    }
    if (request.headers['upload-offset'] !== String(this.text.length)) {
      failure(409, 'upload.wrong-offset')(request, response);
      return;
    }
    this.text += request.body;
    this.announced(request);
    response.writeHead(204, { 'upload-offset': String(this.text.length) }).end();
  };
}

describe('an upload in parts', () => {
  let service: FakeService;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await FakeService.start();
  });
  beforeEach(() => {
    receiver = new Receiver();
    service.script(receiver.step);
  });
  afterAll(() => service.stop());

  const upload = (content: Blob | ReadableStream<Uint8Array>, more = {}) =>
    connect({
      url: service.url,
      drive_id: 'DriveID_1',
      retry: { first_wait_ms: 1, attempts: 3 },
    }).directory.upload('FileID_1', content, { part_bytes: 4, ...more });
  const sent = (method: string) => service.received.filter((one) => one.method === method);

  it('closes a stream whose upload cannot be created', async () => {
    service.script(failure(403, 'permission.denied'));
    let is_open = true;
    const content = new ReadableStream<Uint8Array>({
      cancel() {
        is_open = false;
      },
    });
    await expect(upload(content)).rejects.toMatchObject({ status: 403 });
    expect(is_open).toBe(false);
  });

  it('goes on after the bytes received before the connection was lost', async () => {
    receiver.instead = [
      (request, response) => {
        receiver.text += request.body.slice(0, 3);
        response.destroy();
      },
    ];
    const progress: number[] = [];
    await upload(new Blob(['0123456789']), {
      on_progress: (now: { sent: number }) => progress.push(now.sent),
    });
    expect(receiver.text).toBe('0123456789');
    expect(sent('PATCH').map(({ body }) => body)).toEqual(['0123', '3', '4567', '89']);
    expect(progress).toEqual([0, 3, 4, 8, 10]);
  });

  it('is complete if only the last answer was lost', async () => {
    receiver.instead = [
      (request, response) => {
        receiver.text += request.body;
        receiver.announced(request);
        response.destroy();
      },
    ];
    await upload(new Blob(['0123456789']).stream() as ReadableStream<Uint8Array>, {
      part_bytes: 100,
    });
    expect(receiver.text).toBe('0123456789');
    expect(sent('PATCH')).toHaveLength(1);
  });

  it('of an empty stream is repeated if its only part was lost', async () => {
    receiver.instead = [breakOff, failure(503, 'server.stopping', { 'retry-after': '0' })];
    await upload(new Blob([]).stream());
    expect(sent('PATCH').map(({ headers }) => headers['upload-length'])).toEqual(['0', '0', '0']);
    expect(receiver.length).toBe('0');
  });

  it('has no parts without bytes', async () => {
    await expect(upload(new Blob(['0']), { part_bytes: 0 })).rejects.toThrow('part_bytes');
    expect(service.received).toEqual([]);
  });

  it('announces the length of a stream with its last part', async () => {
    const parts = ['012', '345678', ''].map((part) => new TextEncoder().encode(part));
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.close();
      },
    });
    await upload(stream);
    expect(sent('POST')[0]!.headers['upload-defer-length']).toBe('1');
    const announced = sent('PATCH').map(({ headers, body }) => [body, headers['upload-length']]);
    expect(announced).toEqual([
      ['0123', undefined],
      ['4567', undefined],
      ['8', '9'],
    ]);
  });

  it('of a stream ends with a full part', async () => {
    await upload(new Blob(['01234567']).stream());
    expect(sent('PATCH').map(({ body }) => body)).toEqual(['0123', '4567']);
    expect(sent('PATCH')[1]!.headers['upload-length']).toBe('8');
  });

  it('goes on after a rate limit, also of the question how much was received', async () => {
    const limited: Step = (_, response) => {
      response.writeHead(429, { 'retry-after': '0' }).end();
    };
    receiver.instead = [failure(429, 'rate.limited', { 'retry-after': '0' })];
    let limits = 1;
    service.script((request, response) => {
      const is_limited = request.method === 'HEAD' && limits-- > 0;
      (is_limited ? limited : receiver.step)(request, response);
    });
    await upload(new Blob(['0123456789']));
    expect(receiver.text).toBe('0123456789');
    expect([sent('HEAD').length, receiver.removed]).toEqual([2, 0]);
  });

  it('does not ask again before the time that a rate limit names', async () => {
    receiver.instead = [failure(429, 'rate.limited', { 'retry-after': '31' })];
    const limited = upload(new Blob(['0123456789']));
    await expect(limited).rejects.toMatchObject({ type: 'rate.limited', retry_after_s: 31 });
    expect(sent('HEAD')).toHaveLength(0);
  });

  it('fails if the service has lost earlier parts', async () => {
    receiver.instead = [
      (request, response) => {
        receiver.text = request.body;
        response.writeHead(204, { 'upload-offset': '4' }).end();
      },
      (_, response) => {
        receiver.text = receiver.text.slice(0, 2);
        response.destroy();
      },
    ];
    await expect(upload(new Blob(['abcdefgh']))).rejects.toThrow(
      'The service has 2 bytes of the upload, although 4 were sent',
    );
    expect([receiver.text, receiver.removed]).toEqual(['ab', 1]);
  });

  it('sends again what the service has not received of a part', async () => {
    receiver.instead = [
      (request, response) => {
        receiver.text += request.body.slice(0, 3);
        response.writeHead(204, { 'upload-offset': '3' }).end();
      },
    ];
    await upload(new Blob(['abcdefgh']));
    expect(receiver.text).toBe('abcdefgh');
    expect(sent('PATCH').map(({ body }) => body)).toEqual(['abcd', 'd', 'efgh']);
  });

  it('is removed if it fails', async () => {
    receiver.instead = [failure(403, 'permission.denied')];
    const denied = upload(new Blob(['0123456789']));
    await expect(denied).rejects.toMatchObject({ type: 'permission.denied' });
    expect(receiver.removed).toBe(1);
  });

  it('is given up if nothing more arrives', async () => {
    receiver.instead = [breakOff, breakOff, breakOff];
    const lost = upload(new Blob(['0123456789']));
    await expect(lost).rejects.toMatchObject({ name: 'ConnectionError' });
    expect([sent('PATCH').length, receiver.removed]).toEqual([3, 1]);
  });
});
