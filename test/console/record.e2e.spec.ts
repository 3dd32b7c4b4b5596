import { describeWith } from '../support/needs.js';
import { BUCKET } from '../support/directory.js';
import { PHONE } from './browser.js';
import { useConsole } from './console.js';

describeWith('chromium')('records in the console', () => {
  const ui = useConsole();

  it('shortens hashes; the title and a copy have all of one', async () => {
    await ui.open('history?at=r24');
    const summary = ui.page.getByRole('button', { name: /^Bob Hopper uploaded/ }).first();
    const hex = (await summary.locator('[title]').getAttribute('title'))!;
    expect(hex).toMatch(/^[0-9a-f]{64}$/);
    const { height } = (await summary.boundingBox())!;
    const { height: of_one_line } = (await ui.page
      .getByRole('button', { name: 'Ada Lovelace made the label confidential' })
      .boundingBox())!;
    expect(height).toBe(of_one_line);
    await ui.page.goto(ui.address(`record/${ui.org.ids.budget}?at=r24`));
    await ui.page.locator('dd').getByTitle(hex).waitFor();
    const copied = await ui.page.evaluate<string>(`(() => {
        getSelection().selectAllChildren(document.querySelector('dd [title="${hex}"]'));
        return String(getSelection());
      })()`);
    expect(copied).toBe(hex);
  });

  it('names the record of a system permission, and says which times it does not have', async () => {
    const { status, data } = await ui.org.admin.post('/permissions/system/create', {
      ...{ resource_id: ui.org.ids.finance, granted_to: ui.org.people.bob.user_id },
      permission_types: ['VIEW'],
    });
    expect(status).toBe(200);
    await ui.open(`record/${data.id}`);
    const title = ui.page.getByRole('heading', { level: 1 });
    await title.getByText('Bob Hopper → Finance and Control', { exact: true }).waitFor();
    const field = (name: string) =>
      ui.page.locator('dl > div').filter({ has: ui.page.getByText(name, { exact: true }) });
    expect(await field('Valid from').locator('dd').innerText()).toBe('From the start');
    // A time that there is not.
    await ui.page.goto(ui.address(`record/${ui.org.people.bob.user_id}?at=r10`));
    await field('Last online').waitFor();
    expect(await field('Last online').locator('dd').innerText()).toBe('—');
  });

  it('shows a secret on request only, and never on paper', async () => {
    const { data } = await ui.org.admin.post('/disks/create', {
      ...{ name: 'Cloud', disk_type: 'AWS_BUCKET', auth_json: JSON.stringify(BUCKET) },
    });
    await ui.open(`record/${data.id}`);
    await ui.page.getByRole('heading', { level: 1, name: 'Cloud' }).waitFor();
    const secret = ui.page.getByText(BUCKET.secret_key);
    expect(await secret.count()).toBe(0);
    await ui.page.getByRole('button', { name: 'Show auth json' }).click();
    await secret.waitFor();
    await ui.page.emulateMedia({ media: 'print' });
    await secret.waitFor({ state: 'hidden' });
  });

  it('has all of its versions on the screen of a phone', async () => {
    await ui.open(`record/${ui.org.ids.budget}`, { viewport: PHONE });
    const versions = ui.page.getByRole('region', { name: 'Versions', exact: true });
    const buttons = versions.getByRole('button', { name: 'Download' });
    await buttons.first().waitFor();
    expect(await buttons.count()).toBe(2);
    for (const button of await buttons.all()) {
      const { x, width } = (await button.boundingBox())!;
      expect(x + width).toBeLessThan(PHONE.width);
    }
    await versions.getByRole('button', { name: 'Show' }).last().click();
    await ui.page.getByText('Travel: 10,000').waitFor();
  });
});
