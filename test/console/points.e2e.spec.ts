import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('points outside the history in the console', () => {
  const ui = useConsole();

  const bar = () => ui.page.getByRole('region', { name: 'Point in time' });
  const main = () => ui.page.getByRole('main');

  it.each([
    ['r999999', 'There is no such point', /revision must be from 0 to \d+/i],
    ['@no-such-bookmark', 'There is no bookmark @no-such-bookmark.', /bookmark/i],
    ['2020-01-01T00:00:00Z', 'There is no such point', /at_ms must be from \d+ to \d+/i],
    ['2090-01-01T00:00:00Z', 'There is no such point', /must not be in the future/i],
  ])('%s: the bar, records and the history show the reason', async (at, said, reason) => {
    await ui.open(`record/${ui.org.ids.finance}?at=${at}`);
    await main().getByRole('heading', { name: said }).waitFor();
    await main()
      .getByRole('button', { name: /^Details of revision/ })
      .first()
      .waitFor();
    await ui.page.goto(ui.address(`history?at=${at}`));
    await bar().getByRole('alert').filter({ hasText: said }).waitFor();
    await main().getByRole('alert').filter({ hasText: reason }).waitFor();
    expect(await main().getByText('Loading').count()).toBe(0);
    await ui.page.getByRole('button', { name: 'Back to now' }).click();
    await main().locator('ol button').first().waitFor();
    expect(await bar().getByRole('alert').count()).toBe(0);
  });

  it.each(['2026-06-20', '2026-06-20T10:00:00', 'yesterday'])(
    '%s is no point: nothing is shown as the current state',
    async (at) => {
      await ui.open(`state/contacts?at=${at}`);
      await bar().getByRole('alert').filter({ hasText: 'is no point in time' }).waitFor();
      await main().getByRole('alert').waitFor();
      expect(await main().getByRole('table').count()).toBe(0);
      const picker = ui.page.getByRole('button', { name: /^Choose a point in time/ });
      expect(await picker.innerText()).toContain(at);
      await ui.page.goto(ui.address(`compare?with=${at}`));
      await main().getByRole('alert').first().waitFor();
    },
  );

  it('a time may have an unescaped plus sign before its zone', async () => {
    await ui.open('state/contacts?at=2026-06-05T12:00:00+02:00');
    const picker = ui.page.getByRole('button', { name: /^Choose a point in time/ });
    await picker.filter({ hasText: '5 Jun 2026, 12:00:00' }).waitFor();
    await main().getByText('Dan Rivers').first().waitFor();
    expect(await bar().getByRole('alert').count()).toBe(0);
  });

  it('a record is not said to be missing at a text that is no point', async () => {
    await ui.open(`record/${ui.org.ids.finance}?at=garbage`);
    await main().getByRole('heading', { name: '“garbage” is no point in time.' }).waitFor();
    expect(await main().getByText('There is no such record').count()).toBe(0);
  });

  it.each([
    ['record', (): string => `record/${ui.org.people.bob.user_id}?at=r5`],
    ['view of another person', (): string => `state/contacts?as=${ui.org.people.carol.user_id}`],
  ])('members without the permission get no %s at a point', async (_, path) => {
    await ui.open(path(), {}, await ui.linkOf(ui.org.people.bob));
    await main().getByRole('heading', { name: 'Your key may not look at the past' }).waitFor();
    expect(await main().getByRole('table').count()).toBe(0);
    expect(await main().getByText('Not there at this point').count()).toBe(0);
    await main().getByRole('button', { name: 'Back to now' }).click();
    await main().getByText('Bob Hopper').first().waitFor();
    expect(ui.page.url()).not.toMatch(/[?&](?:at|as)=/);
  });

  it('nobody’s view is shown before the point is known', async () => {
    const { carol } = ui.org.people;
    // A page that lists no contacts.
    await ui.open('operations');
    const lists: string[] = [];
    ui.page.on('request', (request) => {
      if (request.url().includes('/contacts/list')) lists.push(request.url());
    });
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await ui.page.route('**/organization/timeline', async (route) => {
      await released;
      await route.continue();
    });
    await ui.page.goto(ui.address(`state/contacts?as=${carol.user_id}`));
    await main().getByText('Loading').waitFor();
    expect(await main().getByRole('table').count()).toBe(0);
    release();
    await main().getByRole('link', { name: 'Carol Shaw-Lee' }).waitFor();
    expect(await main().getByText('Ada Lovelace').count()).toBe(0);
    expect(lists.filter((url) => !url.includes(`as_user=${carol.user_id}`))).toEqual([]);
  });

  it('members without the permission for the history are told so', async () => {
    await ui.open('history', {}, await ui.linkOf(ui.org.people.bob));
    await main().getByRole('alert').filter({ hasText: 'Not allowed' }).waitFor();
    expect(await main().getByText('Loading').count()).toBe(0);
  });
});
