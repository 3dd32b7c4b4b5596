import type { ContentKey, ContentStore } from '../../content-store/port.js';

const PAGE_SIZE = 1000;

export const pathOf = ({ drive_id, content_id }: ContentKey): string => `${drive_id}/${content_id}`;

export async function keysOf(contents: ContentStore): Promise<ContentKey[]> {
  const keys: ContentKey[] = [];
  for await (const drive_id of drivesOf(contents))
    for (let after = ''; ;) {
      const page = await contents.list(drive_id, after, PAGE_SIZE);
      keys.push(...page.map(({ content_id }) => ({ drive_id, content_id })));
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)!.content_id;
    }
  return keys;
}

async function* drivesOf(contents: ContentStore): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const drives = await contents.drives(after, PAGE_SIZE);
    yield* drives;
    if (drives.length < PAGE_SIZE) return;
    after = drives.at(-1)!;
  }
}
