import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('a page of the console whose files do not arrive', () => {
  const ui = useConsole();

  const main = () => ui.page.getByRole('main');
  const retry = () => main().getByRole('button', { name: 'Try again' });
  /** Opens a tab whose first answers for files of the page are lost, and goes from another page to it. */
  async function openWithout(files: string, status: number | null): Promise<void> {
    await ui.open('state/contacts?at=r26');
    await main().getByText('Carol Shaw').first().waitFor();
    await ui.page.route(files, (route) =>
      status === null ? route.abort() : route.fulfill({ status, body: '' }),
    );
    await ui.page.getByRole('link', { name: 'Compare', exact: true }).click();
    await main().getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
    // React reports the error that the page shows.
    const complaints = ui.tab!.complaints.splice(0);
    expect(complaints).toEqual([expect.stringContaining('PageNotLoaded: Compare')]);
  }

  it.each([
    ['a script of an older build', '**/assets/compare-page-*.js', 404],
    ['a style of an older build', '**/assets/compare-page-*.css', 404],
    ['a script, for lack of a connection', '**/assets/compare-page-*.js', null],
  ])('%s: a button tries again, and the point stays', async (_, files, status) => {
    await openWithout(files, status);
    await ui.page.unroute(files);
    await retry().click();
    await ui.page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    expect(new URL(ui.page.url()).searchParams.get('at')).toBe('r26');
    expect(await main().getByRole('alert').count()).toBe(0);
  });

  it('says so while the server does not answer, and keeps the page', async () => {
    await openWithout('**/assets/compare-page-*.js', null);
    await ui.page.route('**/console/**', (route) => route.abort());
    await retry().click();
    await main().getByText('The server does not answer.').waitFor();
    await ui.page.unrouteAll();
    await retry().click();
    await ui.page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    expect(await main().getByRole('alert').count()).toBe(0);
  });

  it('leaves the other pages usable', async () => {
    await openWithout('**/assets/compare-page-*.js', 404);
    await ui.page.getByRole('link', { name: 'History', exact: true }).click();
    await ui.page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(await retry().count()).toBe(0);
  });
});
