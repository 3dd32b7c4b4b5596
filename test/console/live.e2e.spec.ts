import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the live feed in the console', () => {
  const ui = useConsole();

  it('shows new events, says that the connection is lost, and resumes without a gap', async () => {
    const { page, context } = await ui.open('history');
    const mark = (text: string) => page.getByRole('status').getByText(text, { exact: true });
    const makeGroup = async (name: string): Promise<void> => {
      ui.clock.now += 1000;
      expect((await ui.org.admin.post('/groups/create', { name })).status).toBe(200);
    };
    const made = (name: string) =>
      page.getByRole('button', { name: `Ada Lovelace made the group ${name}`, exact: true });
    await mark('Live').waitFor();
    await makeGroup('Live One');
    await made('Live One').waitFor();
    await context.setOffline(true);
    await makeGroup('Live Two');
    await mark('Connection lost').waitFor();
    expect(await made('Live Two').count()).toBe(0);
    await context.setOffline(false);
    await mark('Live').waitFor();
    await made('Live Two').waitFor();
    // The past stays as it is.
    await page.getByRole('button', { name: 'Previous event' }).click();
    await page.waitForURL(/at=r/);
    await makeGroup('Live Three');
    await page.getByText('Show 2 later events, too').waitFor();
    expect(await made('Live Three').count()).toBe(0);
  });
});
