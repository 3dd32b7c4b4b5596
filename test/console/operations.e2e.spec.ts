import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('operations in the console', () => {
  let receiver: Server;
  let received = 0;

  const ui = useConsole(async ({ org: { admin } }) => {
    receiver = createServer((_, response) => {
      received++;
      response.writeHead(202).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    await admin.post('/webhooks/create', {
      ...{ name: 'To a test', event: 'file.created', alt_index: 'ALL_FILES' },
      url: `http://127.0.0.1:${port}/hook`,
    });
  });
  afterAll(() => void receiver?.close());

  it('rebuild the read model, test a webhook, and show the state of the service and of storage', async () => {
    const { page, complaints } = await ui.open('operations');
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await region('Service').getByText('Ready', { exact: true }).waitFor();
    await region('Service').getByText('The read model is up to date.').waitFor();
    await page.getByRole('button', { name: 'Rebuild the read model' }).click();
    await page.getByText('The read model was rebuilt').waitFor();
    const outcome = region('Read model').getByText(/^\d+ events gave \d+ documents/);
    const [events, documents] = (await outcome.innerText()).match(/\d+/g)!.map(Number);
    const { revision } = (await ui.org.admin.post('/organization/replay', {})).data;
    // The rebuild itself is an event, too.
    expect([revision, revision + 1]).toContain(events);
    expect(documents).toBeGreaterThan(20);
    await region('Read model').getByText('It changed nothing: documents').waitFor();
    await region('Read model').getByText('Finished:').waitFor();
    const row = region('Webhooks').getByRole('row').filter({ hasText: 'To a test' });
    await row.getByRole('button', { name: 'Send a test event' }).click();
    await row.getByText(/^Status 202 after/).waitFor();
    expect(received).toBe(1);
    await region('Storage').getByText('3 contents').waitFor();
    // Of now, whatever the point is.
    await page.goto(ui.address('operations?at=r5'));
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await row.waitFor();
    await ui.org.admin.post('/webhooks/create', {
      ...{ name: 'Another one', event: 'file.created', alt_index: 'ALL_FILES' },
      url: 'https://archive.example/other',
    });
    await region('Webhooks').getByRole('row').filter({ hasText: 'Another one' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are refused to members, each part in its own words', async () => {
    const link = await ui.linkOf(ui.org.people.bob);
    const { page } = await ui.open('operations', {}, link);
    await page.getByRole('button', { name: 'Rebuild the read model' }).click();
    const refused = page.getByRole('region', { name: 'Read model' }).getByRole('alert');
    await refused.getByText('Not allowed', { exact: true }).waitFor();
    expect(await page.getByText('The read model was rebuilt').count()).toBe(0);
  });
});
