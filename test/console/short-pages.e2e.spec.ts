import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

/** Records that the server answers at once in this spec. */
const MOST_ON_PAGES = 10;

describeWith('chromium')('the console, if pages end early because their records are long', () => {
  const ui = useConsole(async ({ org: { admin }, clock }) => {
    for (let at = 0; at < 40; at++) {
      clock.now += 1;
      await admin.post('/api_keys/create', { name: `job-${String(at).padStart(2, '0')}` });
    }
  });

  async function open(path: string): Promise<void> {
    const { page } = await ui.open('operations');
    await page.route(/\/(list|replay|history)(\?|$)/, async (route) => {
      const body = route.request().postDataJSON() ?? {};
      const page_size = Math.min(body.page_size ?? MOST_ON_PAGES, MOST_ON_PAGES);
      await route.continue({ postData: { ...body, page_size } });
    });
    await page.goto(ui.address(path));
  }
  const rows = () => ui.page.getByRole('table').getByRole('row');

  it('searches and sorts all records of a family', async () => {
    await open('state/api_keys');
    await ui.page.getByText(/^10 of \d+ records$/).waitFor();
    await ui.page.getByRole('searchbox', { name: 'Search' }).fill('job-39');
    await ui.page.getByText('1 record', { exact: true }).waitFor();
    expect(await rows().last().innerText()).toContain('job-39');
    await ui.page.goto(ui.address('state/api_keys?sort=-name'));
    await ui.page.getByText(/^\d+ records$/).waitFor();
    const names = (await rows().allInnerTexts()).filter((text) => text.includes('job-'));
    expect(names).toHaveLength(40);
    expect(names[0]).toContain('job-39');
  });
});
