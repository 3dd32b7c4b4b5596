import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the console after a restored backup', () => {
  const ui = useConsole();
  let backup: string;

  beforeAll(async () => {
    backup = await mkdtemp(join(tmpdir(), 'drive-backup-'));
  });
  afterAll(() => rm(backup, { recursive: true, force: true }));

  /** Stops the service and starts it again at the same address. */
  const restart = (whileStopped: () => Promise<void>) =>
    ui.service.restart({ PORT: new URL(ui.service.url).port }, whileStopped);
  const makeGroup = async (name: string): Promise<void> => {
    ui.clock.now += 1000;
    expect((await ui.org.admin.post('/groups/create', { name })).status).toBe(200);
  };

  it('shows the events that are there, and none that were lost, if there are as many', async () => {
    const { data_dir } = ui.service;
    await restart(() => cp(data_dir, backup, { recursive: true }));
    const { page, context } = await ui.open('history');
    const live = page.getByRole('status').getByText('Live', { exact: true });
    const made = (name: string) =>
      page.getByRole('button', { name: `Ada Lovelace made the group ${name}`, exact: true });
    const line = (name: string) => page.locator('p[aria-live]').getByText(`group ${name}`);
    await live.waitFor();
    await makeGroup('Lost');
    await made('Lost').waitFor();
    await line('Lost').waitFor();
    await context.setOffline(true);
    await restart(async () => {
      await rm(data_dir, { recursive: true });
      await cp(backup, data_dir, { recursive: true });
    });
    await makeGroup('Found');
    await context.setOffline(false);
    await live.waitFor();
    await made('Found').waitFor();
    await line('Found').waitFor();
    expect(await page.getByText('the group Lost').count()).toBe(0);
  });
});
