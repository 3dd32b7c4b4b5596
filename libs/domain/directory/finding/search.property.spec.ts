import fc from 'fast-check';
import { Access } from '../../access/access.js';
import { foldCase } from '../../kernel/indexes/text-key.js';
import { disk, folder, ROOT } from '../../permissions/testing/grants.js';
import type { Item } from '../../relations/directory-tree.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { shownPath } from '../items/item-view.js';
import { itemMade } from '../testing/events.js';
import { pathMatches } from './search.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);

const name = fc.string({ unit: fc.constantFrom('a', 'B', '.'), minLength: 1, maxLength: 4 });
const item = fc.record({ is_folder: fc.boolean(), parent: fc.nat(), name });
const other_text = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '/', ':'),
  minLength: 1,
  maxLength: 5,
});
/** Part of the path of an item. */
const path_part = fc.record({
  of: fc.nat(),
  from: fc.nat(),
  chars: fc.integer({ min: 1, max: 30 }),
});

describe('matches of paths', () => {
  it.each([OWNER, 'UserID_stranger'])(
    'are all items whose path, as shown to %s, has the text',
    (who) => {
      fc.assert(
        fc.property(
          fc.array(item, { minLength: 1, maxLength: 15, size: 'max' }),
          fc.array(fc.oneof(other_text, path_part), { maxLength: 10, size: 'max' }),
          (made, sought) => {
            const drive = new SpecDrive().given(
              disk,
              itemMade('FileID_x', ROOT, 'DiskID_1', OWNER),
            );
            const { files, folders } = drive.state;
            const folder_ids = [ROOT];
            for (const [nth, one] of made.entries()) {
              const parent_id = folder_ids[one.parent % folder_ids.length]!;
              const id = `${one.is_folder ? 'FolderID' : 'FileID'}_${nth}`;
              if (one.is_folder) {
                folder(drive, id, parent_id, { name: one.name });
                folder_ids.push(id);
              } else
                files.put({
                  ...files.get('FileID_x')!,
                  ...{ id, name: one.name, parent_folder_uuid: parent_id },
                });
            }
            const context = drive.context(who);
            const pathOf = (one: Item) => foldCase(shownPath(Access.of(context), one));
            const kinds = {
              files: [...files.values()],
              folders: folder_ids.slice(1).map((id) => folders.get(id)!),
            };
            const paths = [...kinds.files, ...kinds.folders].map(pathOf);
            for (const one of sought) {
              const path = typeof one === 'string' ? one : paths[one.of % paths.length]!;
              const from = typeof one === 'string' ? 0 : one.from % path.length;
              const text = path.slice(from, typeof one === 'string' ? undefined : from + one.chars);
              const found = pathMatches(context, text);
              for (const kind of ['files', 'folders'] as const) {
                // Names are searched with the other fields of an item.
                const isFound = (of: Item) =>
                  foldCase(of.name).includes(text) ||
                  found[kind].some(({ field, among }) =>
                    among.has(of[field as 'id' | 'disk_id' | 'parent_folder_uuid']!),
                  );
                const items: readonly Item[] = kinds[kind];
                expect([text, items.filter(isFound)]).toEqual([
                  text,
                  items.filter((of) => pathOf(of).includes(text)),
                ]);
              }
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
  );
});
