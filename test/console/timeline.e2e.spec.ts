import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('the point and the timeline of the console', () => {
  const ui = useConsole();

  async function open(path: string): Promise<void> {
    await ui.open(path);
    await ui.page.getByRole('slider').waitFor();
  }
  const line = () => ui.page.locator('p[aria-live]');
  const says = (text: string | RegExp) => line().filter({ hasText: text }).waitFor();
  const point = () => new URL(ui.page.url()).searchParams.get('at');
  const button = (name: string) => ui.page.getByRole('button', { name, exact: true });
  const picker = () => ui.page.getByRole('button', { name: /^Choose a point in time/ });
  /** The revision and summary of every event, oldest first. */
  const events = async (body: object = {}): Promise<{ revision: number; summary: string }[]> => {
    const all = { ...body, page_size: 1000, direction: 'ASC' };
    return (await ui.org.admin.post('/organization/history', all)).data.items;
  };

  it('steps by buttons and arrow keys, to both ends', async () => {
    const all = await events();
    const last = all.at(-1)!;
    await open('state');
    await says(last.summary);
    expect(await button('Next event').getAttribute('aria-disabled')).toBe('true');
    await button('Previous event').click();
    await says(all.at(-2)!.summary);
    await ui.page.keyboard.press('ArrowLeft');
    await says(all.at(-3)!.summary);
    await ui.page.keyboard.press('ArrowRight');
    await says(all.at(-2)!.summary);
    await button('First event').click();
    await says('r0');
    expect(await button('Previous event').getAttribute('aria-disabled')).toBe('true');
    await button('Latest event').click();
    await says(last.summary);
    expect(point()).toBeNull();
  });

  it('keeps up with a held key; the address follows', async () => {
    const all = await events();
    await open('state?at=r5');
    await says(all[5]!.summary);
    // Keys beyond a few that wait for events to be read are left out by design.
    await ui.page.keyboard.press('ArrowRight');
    await says('r6');
    for (let at = 7; at <= 25; at++) await ui.page.keyboard.press('ArrowRight');
    await says('r25');
    await ui.page.waitForURL(/at=r25$/);
    // Another page is opened while the address is behind.
    await ui.page.evaluate(`(async () => {
      const press = () =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      press();
      press();
      const line = document.querySelector('p[aria-live]');
      while (!line.innerText.includes('r23')) await new Promise(requestAnimationFrame);
      document.querySelector('a[href*="/history?"]').click();
    })()`);
    await ui.page.waitForURL(/history\?at=r23$/);
    await says('r23');
    await ui.page.goBack();
    await ui.page.waitForURL(/state/);
    await ui.page.goBack();
    // Small steps are one entry of the browser's history.
    expect(ui.page.url()).not.toMatch(/at=r\d+/);
  });

  it('steps among the events of a person and a family', async () => {
    const bob = ui.org.people.bob.user_id;
    const bobs = await events({ actor: bob });
    await open('state?at=r0');
    await button('Filter events').click();
    await ui.page.getByRole('combobox', { name: 'Person' }).fill('bob');
    await ui.page.getByRole('option', { name: 'Bob Hopper' }).click();
    await ui.page.waitForURL(new RegExp(`person=${bob}`));
    for (const { revision } of bobs.slice(0, 3)) {
      await button('Next event').click();
      await says(`r${revision}`);
    }
    await button('Remove filters').click();
    await ui.page.getByRole('combobox', { name: 'Family' }).click();
    await ui.page.getByRole('option', { name: 'Labels' }).click();
    const labels = (await events({ types: ['LabelCreated', 'LabelPinned'] })).map(
      (one) => one.revision,
    );
    await ui.page.getByRole('slider').focus();
    await ui.page.keyboard.press('Home');
    await says(`r${labels[0]}`);
    await ui.page.keyboard.press('ArrowRight');
    await says(`r${labels[1]}`);
    expect(labels).toHaveLength(2);
  });

  it('plays until now, or until it is stopped', async () => {
    const all = await events();
    const head = all.at(-1)!.revision;
    await open(`state?at=r${head - 2}`);
    await says(`r${head - 2}`);
    await button('Play').click();
    await says(`r${head - 1}`);
    await says(`r${head}`);
    await button('Play').waitFor();
    await button('First event').click();
    await says('r0');
    await button('Play').click();
    await says('r1');
    await button('Pause').click();
    const stopped = await line().innerText();
    await ui.page.waitForTimeout(1_500);
    expect(await line().innerText()).toBe(stopped);
  });

  it('plays no faster than the page is read, and stops if the server limits the requests', async () => {
    await open('state/contacts?at=r0');
    await ui.page.clock.install();
    await ui.page.reload();
    await says('r0');
    await ui.page.getByRole('row').nth(1).waitFor();
    const asked: string[] = [];
    const held = Promise.withResolvers<void>();
    await ui.page.route('**/contacts/list*', async (route) => {
      asked.push(route.request().url());
      await held.promise;
      await route.continue();
    });
    await button('Play').click();
    const first = ui.page.waitForRequest('**/contacts/list*');
    await ui.page.clock.runFor(1_500);
    await first;
    await says('r1');
    await ui.page.clock.runFor(10_000);
    expect(asked).toHaveLength(1);
    await says('r1');
    held.resolve();
    await ui.page
      .getByRole('table', { name: 'Contacts' })
      .and(ui.page.locator('[aria-busy=false]'))
      .waitFor();
    await ui.page.route('**/contacts/list*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '3600' },
        json: { err: { type: 'rate.limited', message: 'Too many requests' } },
      }),
    );
    await ui.page.clock.runFor(1_500);
    await button('Play').waitFor();
  });

  it('tells the two times apart that clocks show as they go back, and refuses one that they skip', async () => {
    await open('state');
    await ui.page.clock.setFixedTime(new Date('2027-05-01T00:00:00Z'));
    await picker().click();
    const time = ui.page.getByLabel('Date and time');
    await time.fill('2027-03-28T02:30:00');
    const skipped = 'In Europe/Berlin, clocks went forward and skipped this time.';
    await ui.page.getByText(`${skipped} Choose another one, such as 28 Mar 2027, 03:30`).waitFor();
    await button('Show').click();
    expect(ui.page.url()).not.toContain('at=');
    await time.fill('2026-10-25T02:30:00');
    await ui.page.getByText('Clocks went back: this time came twice.').waitFor();
    expect(await ui.page.getByText(skipped).count()).toBe(0);
    await ui.page.getByText('Second, UTC+1', { exact: true }).click();
    await button('Show').click();
    await ui.page.waitForURL(/at=2026-10-25T01:30:00/);
    // The form opens with the second one again.
    await picker().filter({ hasText: '25 Oct 2026, 02:30:00 (UTC+1)' }).click();
    expect(await ui.page.getByRole('radio', { name: 'Second, UTC+1' }).isChecked()).toBe(true);
    await ui.page.getByText('First, UTC+2', { exact: true }).click();
    await button('Show').click();
    await ui.page.waitForURL(/at=2026-10-25T00:30:00/);
    await picker().filter({ hasText: '25 Oct 2026, 02:30:00 (UTC+2)' }).click();
    await time.fill('2026-10-25T03:30:00');
    expect(await ui.page.getByText('this time came twice').count()).toBe(0);
  });

  it('goes to a time of a zone, a revision and a bookmark', async () => {
    await open('state');
    await picker().click();
    await ui.page.getByLabel('Date and time').fill('2026-06-05T12:00:00');
    await button('Show').click();
    // In Berlin it is two hours later than in UTC.
    await ui.page.waitForURL(/at=2026-06-05T10:00:00/);
    await picker().filter({ hasText: '5 Jun 2026, 12:00:00' }).click();
    await ui.page.getByLabel('Date and time').fill('2020-01-01T00:00:00');
    await button('Show').click();
    await ui.page.getByText('The organization begins at 1 Jun 2026').waitFor();
    await ui.page
      .getByRole('textbox', { name: 'Time zone' })
      .or(ui.page.getByRole('combobox', { name: 'Time zone' }))
      .first()
      .fill('Tokyo');
    await ui.page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await ui.page.getByLabel('Date and time').fill('2026-06-05T19:00:00');
    await button('Show').click();
    await picker().filter({ hasText: '5 Jun 2026, 19:00:00' }).click();
    await ui.page.getByText('Revision', { exact: true }).click();
    await ui.page.getByRole('textbox', { name: 'Revision' }).fill('7');
    await ui.page.keyboard.press('Enter');
    await says('r7');
    expect(point()).toBe('r7');
    await picker().click();
    await ui.page.getByText('Bookmark', { exact: true }).click();
    await ui.page.getByRole('button', { name: /^@before-review/ }).click();
    await picker().filter({ hasText: '@before-review' }).waitFor();
    expect(point()).toBe('@before-review');
    const [bookmark] = (await ui.org.admin.post('/organization/bookmarks/list')).data.items;
    await says(`r${bookmark.revision}`);
    await button('Back to now').click();
    await picker().filter({ hasText: 'Now' }).waitFor();
  });

  it('chooses by pointer: a click a point, a drag a part; zoom by keys', async () => {
    await open('state');
    const frame = (await ui.page.getByRole('slider').boundingBox())!;
    const at = (part: number): [number, number] => [frame.x + frame.width * part, frame.y + 20];
    await ui.page.mouse.move(...at(0.2));
    await ui.page.mouse.down();
    await ui.page.mouse.move(...at(0.4), { steps: 4 });
    await ui.page.mouse.up();
    await ui.page.waitForURL(/from=2026-06-0\dT.*to=2026-06-1/);
    await ui.page.mouse.click(...at(0.5));
    await ui.page.waitForURL(/at=2026-06-1\dT/);
    await ui.page.keyboard.press('0');
    await ui.page.waitForURL((url) => !url.search.includes('from='));
    await ui.page.keyboard.press('+');
    await ui.page.waitForURL(/from=/);
    await ui.page.keyboard.press('End');
    // What is shown follows the point.
    await ui.page.waitForURL(
      (url) => !url.search.includes('at=') && url.search.includes('to=2026-07'),
    );
    await button('Show the whole history').click();
    await ui.page.waitForURL((url) => !url.search.includes('from='));
    expect(new URL(ui.page.url()).search).toBe('');
  });

  it('is not for callers without the permission, who see the present', async () => {
    await ui.open('state', {}, await ui.linkOf(ui.org.people.bob));
    await ui.page.getByText('Your key may not look at the past.').waitFor();
    expect(await ui.page.getByRole('slider').count()).toBe(0);
  });
});
