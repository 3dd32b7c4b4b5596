import { describeWith } from '../support/needs.js';
import { PHONE, type View } from './browser.js';
import { useConsole } from './console.js';
import { DAY_MS } from './seed.js';

describeWith('chromium')('what pages of the console show of the point and the person', () => {
  const ui = useConsole();

  async function open(path: string, view?: View): Promise<void> {
    await ui.open(path, view);
    await ui.page.getByRole('heading', { level: 1 }).waitFor();
  }
  const main = () => ui.page.getByRole('main');
  const button = (name: string | RegExp) => ui.page.getByRole('button', { name });
  const alerts = async () => (await main().getByRole('alert').allInnerTexts()).join(' ');

  it.each(['history', 'compare', 'access', 'evidence', 'operations'])(
    '%s says that it does not show what the chosen person saw',
    async (path) => {
      await open(`${path}?as=${ui.org.people.bob.user_id}`);
      await main().getByText('not as the chosen person.').waitFor();
      expect(await alerts()).not.toContain('point in time');
    },
  );

  it.each([
    ['operations', 'This page shows the service as it is now, not at the chosen point in time.'],
    ['evidence', 'the bundle is about the chosen point in time.'],
  ])('%s says what it does not show of the point', async (path, note) => {
    await open(`${path}?at=r24`);
    await main().getByText(note).waitFor();
    expect(await alerts()).not.toContain('chosen person');
    await button('Back to now').click();
    await main().getByText(note).waitFor({ state: 'detached' });
  });

  it('what somebody sees now follows the time', async () => {
    const { admin, ids, people } = ui.org;
    const begin_date_ms = ui.clock.now + DAY_MS;
    const expiry_date_ms = begin_date_ms + DAY_MS;
    const made = await admin.post('/permissions/directory/create', {
      ...{ resource_id: ids.reports, granted_to: people.bob.user_id, permission_types: ['VIEW'] },
      ...{ inheritable: true, begin_date_ms, expiry_date_ms },
    });
    expect(made).toMatchObject({ status: 200 });
    await ui.open('operations');
    await ui.page.clock.install();
    await ui.page.goto(ui.address(`state/files/${ids.reports}?as=${people.bob.user_id}`));
    const hidden = main().getByText('Not visible to this person');
    await hidden.waitFor();
    ui.clock.now = begin_date_ms + 1000;
    await ui.page.clock.fastForward(60_000);
    await main().getByRole('table').getByRole('link', { name: '2026' }).waitFor();
    ui.clock.now = expiry_date_ms + 1000;
    await ui.page.clock.fastForward(60_000);
    await hidden.waitFor();
  });

  it('a record as a person saw it has none of what they could not see', async () => {
    const { admin, people } = ui.org;
    const { user_id } = people.bob;
    ui.clock.now += 1000;
    const note = { id: user_id, private_note: 'Watched since May' };
    expect(await admin.post('/contacts/update', note)).toMatchObject({ status: 200 });
    const { revision } = (await admin.post('/organization/replay', {})).data;
    await open(`record/${user_id}?at=r${revision}&as=${user_id}`);
    const history = main().getByRole('region', { name: 'History of this record' });
    await history.getByText('not as the chosen person.').waitFor();
    const changed = main().getByText('Changed by the event at this point');
    expect(await changed.count()).toBe(0);
    expect(await main().locator('[data-changed]').count()).toBe(0);
    await button('View as the owner again').click();
    await changed.waitFor();
    expect(await main().getByText(note.private_note).count()).toBe(2);
    // Of a folder that they may see, but not what is in it.
    const { reports } = ui.org.ids;
    const grant = { resource_id: reports, granted_to: user_id, permission_types: ['VIEW'] };
    await admin.post('/permissions/directory/create', { ...grant, inheritable: false });
    await ui.page.goto(ui.address(`state/files/${reports}?as=${user_id}`));
    await main().getByRole('heading', { name: 'Nothing visible here' }).waitFor();
    await main().getByText('may not have been allowed to see').waitFor();
  });

  it('the point to compare with is chosen from where it is, not from the point of the page', async () => {
    await open('compare?with=2026-06-05T10:00:00Z&at=r26');
    await button(/^Compare with/).click();
    const time = ui.page.getByLabel('Date and time');
    expect(await time.inputValue()).toMatch(/^2026-06-05T12:00/);
    await ui.page.keyboard.press('Escape');
    await ui.page.goto(ui.address('compare?with=r7'));
    await button(/^Compare with.*r7/).click();
    await ui.page.getByText('Revision', { exact: true }).click();
    expect(await ui.page.getByRole('textbox', { name: 'Revision' }).inputValue()).toBe('7');
  });

  it('Escape closes the list of time zones, then the choice of a point', async () => {
    await open('state/contacts');
    await button(/^Choose a point in time/).click();
    const zones = ui.page.getByRole('combobox', { name: 'Time zone' });
    await zones.click();
    await ui.page.getByRole('option').first().waitFor();
    await ui.page.keyboard.press('Escape');
    await ui.page.getByRole('option').first().waitFor({ state: 'hidden' });
    expect(await zones.isVisible()).toBe(true);
    await ui.page.keyboard.press('Escape');
    await zones.waitFor({ state: 'detached' });
    expect(await ui.page.evaluate('document.activeElement.innerText')).toContain('Now');
  });

  it('a difference leads to its events on the screen of a phone, too', async () => {
    await open('compare?with=r24&at=r27', { viewport: PHONE });
    await main().getByRole('link', { name: 'by 1 event' }).first().click();
    await ui.page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(ui.page.url()).toContain('resource=');
  });
});
