import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describeWith } from '../support/needs.js';
import { ops } from '../support/ops.js';
import { useConsole } from './console.js';

describeWith('chromium')('evidence in the console', () => {
  const ui = useConsole();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drive-evidence-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function downloadBy(page: Page, button: string): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  }

  it('verifies the history, and checks a digest that was kept elsewhere', async () => {
    const tab = await ui.open('evidence');
    const { page } = tab;
    await page.getByRole('button', { name: 'Verify the whole history' }).click();
    await page.getByText('The history is intact').waitFor();
    const { revision } = (await ui.org.admin.post('/organization/replay', {})).data;
    await page.getByText(`${revision + 1} events were checked`).waitFor();
    await page.getByText('Snapshots and the read model equal the events.').waitFor();
    const kept = await downloadBy(page, 'Download the digest');
    expect((await ui.org.admin.post('/groups/create', { name: 'Later' })).status).toBe(200);
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles(kept);
    await page.getByText(/The history contains what digest-r\d+\.json commits to\./).waitFor();
    const digest = JSON.parse(await readFile(kept, 'utf8'));
    const other = join(folder, 'other.json');
    const chain_hash = digest.chain_hash.replace(/^../, (byte: string) =>
      byte === '00' ? '01' : '00',
    );
    await writeFile(other, JSON.stringify({ ...digest, chain_hash }));
    await choose.setInputFiles(other);
    await page.getByText('The history does not match').waitFor();
    await writeFile(other, 'no JSON');
    await choose.setInputFiles(other);
    await page.getByRole('alert').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('gives a bundle that the command line checks offline', async () => {
    const { finance } = ui.org.ids;
    const tab = await ui.open(`evidence?record=${finance}&at=r26`);
    const { page } = tab;
    await page.getByText(/^Event r26: /).waitFor();
    const path = await downloadBy(page, 'Download the bundle');
    const files = unzipSync(await readFile(path));
    const text = (name: string): string => strFromU8(files[name]!);
    expect(Object.keys(files).toSorted()).toEqual([
      ...['digest.json', 'event-proof.json', 'how-to-check.txt', 'point-digest.json'],
      ...['public-key.txt', 'record-proof.json', 'report.html', 'report.json'],
    ]);
    const report = JSON.parse(text('report.json'));
    expect(report.event.revision).toBe(26);
    expect(report.record_proof.record.name).toBe('Finance and Control');
    expect(text('report.html')).toContain('Northwind Research');
    expect(text('report.html')).toContain('Signed at (UTC)');
    const digests = ['digest.json', 'point-digest.json'];
    const proofs = [...digests, 'event-proof.json', 'record-proof.json'];
    for (const name of proofs) await writeFile(join(folder, name), files[name]!);
    const paths = proofs.map((name) => join(folder, name));
    expect(text('how-to-check.txt')).toContain(`ops verify ${proofs.join(' ')} --public-key`);
    const key = ['--public-key', text('public-key.txt').trim()];
    const checked = await ops(['verify', ...paths, ...key]);
    expect(checked).toMatchObject({ code: 0 });
    // The point's digest covers the record: nothing is left to a condition.
    expect(checked.out).not.toContain('no digest given covers');
    const proof = JSON.parse(text('event-proof.json'));
    await writeFile(paths[2]!, JSON.stringify({ ...proof, revision: proof.revision - 1 }));
    expect(await ops(['verify', ...paths, ...key])).toMatchObject({ code: 1 });
    // The bundle is a digest, too.
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByText('The history contains what evidence-r26.zip commits to.').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('gives no bundle of the previous point while the event of the point is read', async () => {
    const { page } = await ui.open('evidence?at=r26');
    await page.getByText(/^Event r26: /).waitFor();
    const download = page.getByRole('button', { name: 'Download the bundle' });
    expect(await download.isEnabled()).toBe(true);
    const held = Promise.withResolvers<void>();
    await page.route('**/organization/history', async (route) => {
      await held.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/organization/history');
    await page.getByRole('button', { name: 'Choose a point in time' }).click();
    await page.getByLabel('Date and time').fill('2026-06-05T12:00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await asked;
    expect(await download.isEnabled()).toBe(false);
    held.resolve();
    await page.getByText(/^Event r26: /).waitFor({ state: 'detached' });
    expect(await download.isEnabled()).toBe(true);
  });
});
