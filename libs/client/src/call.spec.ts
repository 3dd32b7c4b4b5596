import { breakOff, failure, FakeService, success } from '../testing/fake-service.js';
import { connect } from './index.js';

const page = (names: readonly string[], cursor_down: string | null) =>
  success({ items: names.map((name) => ({ name })), cursor_down, cursor: cursor_down });

describe('a list', () => {
  let service: FakeService;

  beforeAll(async () => {
    service = await FakeService.start();
  });
  afterAll(() => service.stop());

  const list = () =>
    connect({
      url: service.url,
      drive_id: 'DriveID_1',
      retry: { first_wait_ms: 1 },
    }).groups.list({ page_size: 2, filters: 'x' });

  it('is one page when awaited', async () => {
    service.script(page(['a', 'b'], 'next'));
    expect((await list()).items).toHaveLength(2);
    expect(service.received).toHaveLength(1);
  });

  it('gives the items of all pages, with the same request', async () => {
    service.script(page(['a', 'b'], 'one'), breakOff, page(['c', 'd'], 'two'), page([], null));
    const names: string[] = [];
    for await (const { name } of list()) names.push(name);
    expect(names).toEqual(['a', 'b', 'c', 'd']);
    const bodies = service.received.map(({ body }) => JSON.parse(body));
    const asked = { page_size: 2, filters: 'x' };
    expect(bodies).toEqual([
      asked,
      { ...asked, cursor_down: 'one' },
      { ...asked, cursor_down: 'one' },
      { ...asked, cursor_down: 'two' },
    ]);
  });

  it('requests no further page than is read', async () => {
    service.script(page(['a', 'b'], 'one'), page(['c', 'd'], 'two'));
    const names: string[] = [];
    for await (const { name } of list()) {
      names.push(name);
      if (name === 'b') break;
    }
    expect([names, service.received.length]).toEqual([['a', 'b'], 1]);
  });

  it('fails with the error of a page, once', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    service.script(failure(403, 'permission.denied'));
    const pages = list().pages();
    await expect(pages.next()).rejects.toMatchObject({ type: 'permission.denied' });
    await expect(list().withResponse()).rejects.toMatchObject({ type: 'permission.denied' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
