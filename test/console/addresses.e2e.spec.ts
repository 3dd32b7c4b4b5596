import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('addresses of the console that name nothing', () => {
  const ui = useConsole();

  const main = () => ui.page.getByRole('main');
  const events = () => main().getByRole('button', { name: /^Details of revision/ });

  it.each([
    ['record/nonsense', 'There is no such record', '“nonsense” is not the ID of a record.'],
    ['record/%25E0', 'There is no such record', '“%E0” is not the ID of a record.'],
    ['record/%E0', 'There is no such record', '“%E0” is not the ID of a record.'],
    ['%E0', 'Not found', 'This page does not exist.'],
    ['record/', 'There is no such record', 'is not the ID of a record.'],
    ['record/GroupID_none', 'There is no such record', 'ever had the ID GroupID_none.'],
    ['record/GroupID_none?at=r3', 'There is no such record', 'ever had the ID GroupID_none.'],
    ['record/SuperswapID_a', 'Not found', 'Records of this kind have no page.'],
    ['state/files/%25E0', 'There is no such record', 'Check the address'],
    ['state/files/FolderID_none', 'Not found', 'There is no such folder.'],
    ['history?family=nope', 'There is no such family', '“nope” is not a family of events.'],
    ['history?kind=Nope', 'There is no such kind of event', 'Check the address'],
    ['history?person=nope', 'There is no such person', 'Check the address'],
    ['history?person=UserID_none', 'There is no such person', 'Check the address'],
    ['history?resource=nope', 'There is no such record', 'Check the address'],
    ['history?request=nope', 'There is no such request', 'Check the address'],
    ['compare?of=nope', 'There is no such family', 'Check the address'],
    ['access?who=nope', 'There is no such person', 'Check the address'],
    ['access?what=FileID_none', 'There is no such record', 'Check the address'],
    ['state/contacts?as=nope', 'There is no such person', 'Check the address'],
    ['state/contacts?as=UserID_none', 'There is no such person', 'Check the address'],
    ['state/files?as=UserID_none&at=r9', 'There is no such person', 'Check the address'],
  ])('%s: %s', async (path, title, hint) => {
    await ui.open(path);
    await main().getByText(title, { exact: true }).first().waitFor();
    await main().getByText(hint).first().waitFor();
    expect(await events().count()).toBe(0);
  });

  it('a family without events has none; the filter shows a family that is none, and can be removed', async () => {
    await ui.open('history?family=shortlinks');
    await main().getByText('No events match the filters.').waitFor();
    await ui.page.goto(ui.address('history?family=nope'));
    const family = main().getByRole('combobox', { name: 'Family' });
    await main().getByText('There is no such family').waitFor();
    expect(await family.inputValue()).toBe('nope');
    await ui.page.keyboard.press('ArrowLeft');
    await main().getByRole('button', { name: 'Remove filters' }).click();
    await events().first().waitFor();
    expect(ui.page.url()).not.toContain('at=');
  });

  it('from a page that a list does not have, a button leads to its first one', async () => {
    await ui.open('history?down=nope');
    await main().getByText('There is no such page of this list').waitFor();
    await main().getByRole('button', { name: 'Show the first page' }).click();
    await events().first().waitFor();
    expect(ui.page.url()).not.toContain('down=');
  });

  it('a record is not shown as nobody saw it; one who was deleted later saw it', async () => {
    const { finance } = ui.org.ids;
    await ui.open(`record/${finance}?at=r9&as=UserID_none`);
    await main().getByText('There is no such person').waitFor();
    await ui.page.goto(ui.address(`state/groups?at=r9&as=${ui.org.people.dan.user_id}`));
    await main().getByText('Group for All').first().waitFor();
    expect(await main().getByRole('alert').count()).toBe(0);
  });

  it('a record that came later is there, but not at the point', async () => {
    await ui.open(`record/${ui.org.ids.finance}?at=r1`);
    await main().getByText('Not there at this point').waitFor();
    await main().getByText('Its history below leads to points').waitFor();
    expect(await events().count()).toBeGreaterThan(0);
  });
});
