import { describeWith } from '../support/needs.js';
import { useConsole } from './console.js';

describeWith('chromium')('points outside the history in the console', () => {
  const ui = useConsole();

  const bar = () => ui.page.getByRole('region', { name: 'Point in time' });
  const main = () => ui.page.getByRole('main');

  it.each([
    ['r999999', /revision must be from 0 to \d+/i],
    ['@no-such-bookmark', /bookmark/i],
    ['2020-01-01T00:00:00Z', /at_ms must be from \d+ to \d+/i],
    ['2090-01-01T00:00:00Z', /must not be in the future/i],
  ])('%s: the bar and the history show the reason', async (at, reason) => {
    await ui.open(`history?at=${at}`);
    await bar().getByRole('alert').filter({ hasText: reason }).waitFor();
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

  it('members without the permission for the history are told so', async () => {
    await ui.open('history', {}, await ui.linkOf(ui.org.people.bob));
    await main().getByRole('alert').filter({ hasText: 'Not allowed' }).waitFor();
    expect(await main().getByText('Loading').count()).toBe(0);
  });
});
