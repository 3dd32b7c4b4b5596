import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

/** More than a page of the lists has. */
const MANY = 105;

function succeeded({ status }: { readonly status: number }): void {
  if (status !== 200) throw new Error(`status ${status}`);
}

describeWith('chromium')('long lists of a record in the console', () => {
  const ui = useConsole(async ({ org: { admin, ids } }) => {
    for (let number = 1; number <= MANY; number++) {
      const type = { 'content-type': 'text/plain' };
      const path = `/directory/content/${ids.budget}`;
      const text = number === MANY ? 'x'.repeat(250_000) : `Version ${number}`;
      succeeded(await admin.send('PUT', path, text, type));
      const group = await admin.post('/groups/create', { name: `Team ${number}` });
      succeeded(
        await admin.post('/permissions/directory/create', {
          ...{ resource_id: ids.budget, granted_to: group.data.id },
          permission_types: ['VIEW'],
        }),
      );
    }
  });

  const region = (name: string) => ui.page.getByRole('region', { name, exact: true });
  const record = () => ui.page.goto(ui.address(`record/${ui.org.ids.budget}`));

  it('say how many there are, and show all of them', async () => {
    await ui.open('state/groups');
    await record();
    for (const [name, rows, total, noun] of [
      ['Versions', 'tbody tr', MANY + 2, 'versions'],
      ['Permissions given here', 'li', MANY, 'records'],
    ] as const) {
      const list = region(name);
      await list.getByText(`100 of ${total} ${noun}`).waitFor();
      expect(await list.locator(rows).count()).toBe(100);
      await list.getByRole('button', { name: 'Show more' }).click();
      await list
        .locator(rows)
        .nth(total - 1)
        .waitFor();
      expect(await list.locator(rows).count()).toBe(total);
      expect(await list.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    }
    await ui.page.getByText('The preview ends after 200 kB of 250 kB.').waitFor();
    await region('Versions').getByRole('button', { name: 'Show' }).last().click();
    await ui.page.getByText('Travel: 10,000').waitFor();
    expect(await ui.page.getByText('The preview ends after').count()).toBe(0);
  });

  it('say how many members of a group and groups of a person are not shown', async () => {
    await ui.open('operations');
    const { finance } = ui.org.ids;
    const { bob } = ui.org.people;
    /** Answers as if there were more than are shown. */
    const answer = (url: string, change: (data: any) => void) =>
      ui.page.route(url, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        change(json.ok.data);
        await route.fulfill({ response, json });
      });
    await answer('**/groups/list*', ({ items }) => {
      const group = items.find(({ id }: { id: string }) => id === finance);
      group.member_count = group.member_previews.length + 37;
    });
    await answer('**/contacts/get/*', (contact) => {
      contact.group_count = contact.group_previews.length + 38;
    });
    await ui.page.goto(ui.address('state/groups'));
    const row = ui.page.getByRole('row').filter({ hasText: 'Finance and Control' });
    await row.getByText('and 37 more').waitFor();
    await ui.page.goto(ui.address(`record/${bob.user_id}`));
    const items = region('Member of').getByRole('listitem');
    await items.last().getByText('and 38 more').waitFor();
    expect(await items.count()).toBeGreaterThan(1);
    // Pages read again now and then.
    await ui.page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('show why they could not be read, unless the caller may not see them', async () => {
    await ui.open('state/groups');
    let status = 400;
    await ui.page.route('**/permissions/directory/list*', (route) => {
      const err = { code: status, type: 'test', message: `Failed with ${status}` };
      return route.fulfill({ status, json: { err } });
    });
    await record();
    await region('Permissions given here').getByRole('alert').waitFor();
    status = 403;
    const answer = ui.page.waitForResponse('**/permissions/directory/list*');
    await record();
    await answer;
    await region('Versions')
      .getByText(/ of \d+ versions/)
      .waitFor();
    expect(await region('Permissions given here').allInnerTexts()).toEqual([]);
  });
});
