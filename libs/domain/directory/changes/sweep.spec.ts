import { jest } from '@jest/globals';
import { event, type DomainEvent } from '../../foundation/events.js';
import { directoryGrant, disk, diskMade, ROOT, TRASH } from '../../permissions/testing/grants.js';
import { OWNER, SPEC_SETTINGS, SpecDrive, T0 } from '../../testing/drive.js';
import { directoryCommands as commands } from '../definitions.js';
import { atOnce } from '../../kernel/steps.js';
import { firstExpiry, nextExpiry } from '../items/expiry.js';
import { itemMade } from '../testing/events.js';

const BOB = 'UserID_bob';
const END = T0 + 1_000;
const TRASH_MS = 5_000;
const SYSTEM = { kind: 'system' } as const;

/** The creation of an item with this expiry, sovereign or not. */
function made(
  id: string,
  parent = ROOT,
  more: { expires_at?: number; has_sovereign_permissions?: boolean; name?: string } = {},
): DomainEvent {
  const { type, data } = itemMade(id, parent, 'DiskID_1', OWNER);
  return { type, data: { ...data, ...more } } as DomainEvent;
}
const ending = { expires_at: END };
const sovereign = { has_sovereign_permissions: true };

function drive(...events: DomainEvent[]): SpecDrive {
  const made_of = new SpecDrive().given(disk, ...events);
  made_of.settings = { ...SPEC_SETTINGS, trash_ms: TRASH_MS };
  return made_of;
}

/** Sweeps at a time until nothing is left; returns the number of events. */
function sweep(on: SpecDrive, at_ms: number, most = 99): number {
  let count = 0;
  for (; count < 1000; count++) {
    on.now = at_ms;
    if (on.when(commands.SweepExpired, SYSTEM, { most }).events.length === 0) return count;
  }
  throw new Error('swept without end');
}
const ids = (on: SpecDrive): string[] =>
  [...on.state.folders.ids(), ...on.state.files.ids()].filter((id) => id !== ROOT && id !== TRASH);
const parentOf = (on: SpecDrive, id: string) =>
  (on.state.folders.get(id) ?? on.state.files.get(id))?.parent_folder_uuid;

describe('sovereign items far below', () => {
  it('cost one visit of each folder above them', () => {
    const line = Array.from({ length: 50 }, (_, nth) =>
      made(`FolderID_${nth}`, nth === 0 ? ROOT : `FolderID_${nth - 1}`),
    );
    const closed = Array.from({ length: 50 }, (_, nth) =>
      made(`FolderID_closed${nth}`, 'FolderID_49', sovereign),
    );
    const on = drive(...line, ...closed, made('FolderID_ends', ROOT, ending));
    on.now = END;
    const read = jest.spyOn(on.state.folders, 'get');
    const { events } = on.when(commands.SweepExpired, SYSTEM, { most: 9 });
    expect(events).toHaveLength(1);
    expect(read.mock.calls.length).toBeLessThan(500);
    read.mockRestore();
  });
});

describe('an expired item', () => {
  it('is moved to the trash with its content and can be restored', () => {
    const on = drive(made('FolderID_1', ROOT, ending), made('FileID_1', 'FolderID_1'));
    on.now = END;
    const { events, allowed_by } = on.when(commands.SweepExpired, SYSTEM, { most: 9 });
    expect(allowed_by).toEqual(['SYSTEM']);
    expect(events).toEqual([
      event('ItemsExpired', { trashed: [{ item_id: 'FolderID_1', name: 'FolderID_1' }], kept: [] }),
    ]);
    expect(on.state.folders.get('FolderID_1')).toMatchObject({
      ...{ parent_folder_uuid: TRASH, restore_trash_prior_folder_uuid: ROOT, expires_at: -1 },
      ...{ trashed_by: null, trashed_at: END },
    });
    const restore = { id: 'FolderID_1', fresh: { folder_ids: [] } };
    expect(on.when(commands.RestoreTrash, 'UserID_nobody', restore).refusal).toBe('forbidden');
    const { answer } = on.when(commands.RestoreTrash, OWNER, restore);
    expect(answer).toEqual({ restored_folders: ['FolderID_1'], restored_files: ['FileID_1'] });
    expect(sweep(on, END + 9 * TRASH_MS)).toBe(0);
  });

  it('is permanently deleted when its time in the trash is over, and not before', () => {
    const on = drive(made('FolderID_1', ROOT, ending), made('FileID_1', 'FolderID_1'));
    sweep(on, END);
    expect(sweep(on, END + TRASH_MS - 1)).toBe(0);
    expect(ids(on)).toHaveLength(2);
    expect(sweep(on, END + TRASH_MS)).toBe(1);
    expect(ids(on)).toEqual([]);
  });

  it('gets a unique name in the trash', () => {
    const same = { ...ending, name: 'same.txt' };
    const on = drive(...[1, 2, 3].map((nth) => made(`FileID_${nth}`, ROOT, same)));
    sweep(on, END);
    const names = [...on.state.files.values()].map(({ name, restore_name }) => [
      name,
      restore_name,
    ]);
    expect(names).toEqual([
      ['same.txt', null],
      ['same (2).txt', 'same.txt'],
      ['same (3).txt', 'same.txt'],
    ]);
  });

  it('gets a name in the trash that no item has that expired there', () => {
    const on = drive(made('FolderID_1', ROOT, { ...ending, name: 'a' }));
    on.when(commands.DeleteFolder, OWNER, { id: 'FolderID_1', permanent: false });
    on.given(
      made('FolderID_2', ROOT, { ...ending, name: 'a' }),
      made('FolderID_3', ROOT, { name: 'a' }),
    );
    on.now = END;
    on.when(commands.DeleteFolder, OWNER, { id: 'FolderID_3', permanent: false });
    sweep(on, END);
    const names = ['FolderID_1', 'FolderID_2', 'FolderID_3'].map(
      (id) => on.state.folders.get(id)!.name,
    );
    expect(names).toEqual(['a', 'a (3)', 'a (2)']);
  });

  it('is moved with others in several events if one cannot hold all names', () => {
    const name = '"'.repeat(256);
    const many = Array.from({ length: 300 }, (_, nth) =>
      made(`FileID_${nth}`, ROOT, { ...ending, name: `${name.slice(4)}${nth}` }),
    );
    const on = drive(...many);
    on.now = END;
    const { events } = on.when(commands.SweepExpired, SYSTEM, { most: 500 });
    expect(JSON.stringify(events).length).toBeLessThan(300_000);
    sweep(on, END, 500);
    expect(on.state.files.count('parent', TRASH)).toBe(300);
  });

  it('that was already in the trash is kept there for the usual time', () => {
    const on = drive(made('FolderID_1'), made('FileID_1', 'FolderID_1', ending));
    on.given(
      event('ItemTrashed', {
        ...{ item_id: 'FolderID_1', name: 'x', trashed_by: OWNER, trashed_at: T0 },
      }),
    );
    sweep(on, END);
    expect(parentOf(on, 'FileID_1')).toBe('FolderID_1');
    expect(on.state.files.get('FileID_1')!.expires_at).toBe(-1);
    sweep(on, T0 + TRASH_MS);
    expect(ids(on)).toEqual([]);
  });
});

describe('an expired item in the trash whose name is in use', () => {
  const namesOf = (on: SpecDrive, parent: string): string[] =>
    [...on.state.files.values(), ...on.state.folders.values()]
      .filter(({ parent_folder_uuid }) => parent_folder_uuid === parent)
      .map(({ id, name }) => `${id}: ${name}`);
  const delete_folder = { id: 'FolderID_1', permanent: false };

  it('is renamed in a folder that was trashed with both', () => {
    const same = ['FileID_old', 'FileID_older', 'FolderID_old'].map((id) =>
      made(id, 'FolderID_1', { ...ending, name: 'same.txt' }),
    );
    const on = drive(made('FolderID_1'), ...same);
    on.now = END;
    on.given(
      made('FileID_new', 'FolderID_1', { name: 'same.txt' }),
      made('FolderID_new', 'FolderID_1', { name: 'same.txt' }),
    );
    on.when(commands.DeleteFolder, OWNER, delete_folder);
    sweep(on, END);
    expect(namesOf(on, 'FolderID_1').toSorted()).toEqual([
      'FileID_new: same.txt',
      'FileID_old: same (2).txt',
      'FileID_older: same (3).txt',
      'FolderID_new: same.txt',
      'FolderID_old: same.txt (2)',
    ]);
    expect(on.state.files.get('FileID_old')).toMatchObject({ restore_name: null, expires_at: -1 });
  });

  it('is renamed in the trash itself, and restored under its own name', () => {
    const on = drive(made('FolderID_1', ROOT, { ...ending, name: 'a' }), made('FolderID_2'));
    for (const id of ['FolderID_1', 'FolderID_2'])
      on.when(commands.DeleteFolder, OWNER, { id, permanent: false });
    on.now = END;
    expect(on.when(commands.UpdateFolder, OWNER, { id: 'FolderID_2', name: 'a' }).refusal).toBe(
      null,
    );
    sweep(on, END);
    expect(namesOf(on, TRASH)).toEqual(['FolderID_1: a (2)', 'FolderID_2: a']);
    on.when(commands.RestoreTrash, OWNER, { id: 'FolderID_1', fresh: { folder_ids: [] } });
    expect(namesOf(on, ROOT)).toContain('FolderID_1: a');
  });
});

describe('a sovereign item in an expired folder', () => {
  const closed = [
    made('FolderID_1', ROOT, ending),
    made('FolderID_in', 'FolderID_1'),
    made('FolderID_closed', 'FolderID_in', sovereign),
    made('FolderID_deeper', 'FolderID_closed', sovereign),
    made('FileID_safe', 'FolderID_deeper'),
    made('FileID_closed', 'FolderID_1', sovereign),
    made('FileID_open', 'FolderID_in'),
  ];

  it('is moved to the trash separately, with its content', () => {
    const on = drive(...closed);
    sweep(on, END);
    const parents = ['FolderID_closed', 'FolderID_deeper', 'FileID_closed', 'FileID_open'];
    expect(parents.map((id) => parentOf(on, id))).toEqual([
      ...[TRASH, 'FolderID_closed', TRASH, 'FolderID_in'],
    ]);
    expect(on.state.folders.get('FolderID_closed')!.restore_trash_prior_folder_uuid).toBe(
      'FolderID_in',
    );
  });

  it('is also moved there on disks that permanently delete the rest', () => {
    const on = new SpecDrive().given(diskMade({ autoexpire_ms: 99 }), ...closed);
    sweep(on, END);
    expect(ids(on).sort()).toEqual([
      ...['FileID_closed', 'FileID_safe', 'FolderID_closed', 'FolderID_deeper'],
    ]);
  });

  it('is also moved there out of a folder that expires in the trash', () => {
    const on = new SpecDrive().given(diskMade({ autoexpire_ms: 99 }), ...closed);
    on.when(commands.DeleteFolder, OWNER, { id: 'FolderID_1', permanent: false });
    sweep(on, END);
    expect(parentOf(on, 'FolderID_closed')).toBe(TRASH);
    expect(ids(on).sort()).toEqual([
      ...['FileID_closed', 'FileID_safe', 'FolderID_closed', 'FolderID_deeper'],
    ]);
  });

  it('is moved first, however large it is', () => {
    const on = new SpecDrive().given(diskMade({ autoexpire_ms: 99 }), ...closed);
    const before = ids(on).length;
    on.now = END;
    on.when(commands.SweepExpired, SYSTEM, { most: 1 });
    expect(ids(on)).toHaveLength(before);
    sweep(on, END, 1);
    expect(ids(on)).toHaveLength(4);
  });

  it('is not deleted by a user with EDIT only', () => {
    const on = drive(
      ...closed.map(
        ({ type, data }) => ({ type, data: { ...data, expires_at: -1 } }) as DomainEvent,
      ),
    );
    on.given(
      directoryGrant('b', ROOT, { granted_to: BOB, permission_types: ['VIEW', 'UPLOAD', 'EDIT'] }),
    );
    const past = { id: 'FolderID_1', expires_at: 1 };
    expect(on.when(commands.UpdateFolder, BOB, past).refusal).toBe('forbidden');
    expect(sweep(on, END + TRASH_MS)).toBe(0);
    expect(ids(on)).toHaveLength(closed.length);
  });
});

describe('a disk that permanently deletes expired items', () => {
  it('deletes them permanently, also in the trash', () => {
    const on = new SpecDrive().given(
      diskMade({ autoexpire_ms: 99 }),
      made('FileID_1', ROOT, ending),
      made('FileID_2', ROOT, ending),
      event('ItemTrashed', { item_id: 'FileID_2', name: 'x', trashed_by: OWNER, trashed_at: T0 }),
    );
    sweep(on, END);
    expect(ids(on)).toEqual([]);
  });
});

describe('the trash', () => {
  const trashed = (item_id: string, trashed_at?: number): DomainEvent =>
    event('ItemTrashed', {
      ...{ item_id, name: item_id, trashed_by: OWNER },
      ...(trashed_at !== undefined && { trashed_at }),
    });

  it('keeps items without a time of trashing until a user deletes them', () => {
    const on = drive(made('FileID_1'), trashed('FileID_1'));
    expect(on.state.files.get('FileID_1')).not.toHaveProperty('trashed_at');
    expect(sweep(on, T0 + 100 * TRASH_MS)).toBe(0);
    expect(ids(on)).toEqual(['FileID_1']);
  });

  it('deletes the content of a folder first if one command cannot delete all of it', () => {
    const files = Array.from({ length: 25 }, (_, nth) => made(`FileID_${nth}`, 'FolderID_in'));
    const on = drive(
      made('FolderID_1'),
      made('FolderID_in', 'FolderID_1'),
      ...files,
      trashed('FolderID_1', T0),
    );
    on.settings = { ...on.settings, items_per_action: 10 };
    on.now = T0 + TRASH_MS;
    const before = ids(on).length;
    on.when(commands.SweepExpired, SYSTEM, { most: 500 });
    expect(before - ids(on).length).toBe(10);
    expect(sweep(on, T0 + TRASH_MS, 500)).toBe(2);
    expect(ids(on)).toEqual([]);
  });

  it('deletes a folder of many large subfolders, even one item at a time', () => {
    const large = [1, 2, 3].map((nth) => made(`FolderID_1${nth}`, 'FolderID_1'));
    const small = [1, 2, 3].flatMap((nth) =>
      ['a', 'b'].map((name) => made(`FolderID_1${nth}${name}`, `FolderID_1${nth}`)),
    );
    const on = drive(made('FolderID_1'), ...large, ...small, trashed('FolderID_1', T0));
    on.settings = { ...on.settings, items_per_action: 1 };
    expect(sweep(on, T0 + TRASH_MS, 1)).toBe(10);
    expect(ids(on)).toEqual([]);
  });

  it('is swept again when the time of an item is over', () => {
    const on = drive(
      made('FileID_1'),
      made('FileID_2', ROOT, { expires_at: T0 + 9_000 }),
      trashed('FileID_1', T0 + 7),
    );
    const key = (id: string) => ({ family: 'files', id });
    expect(atOnce(firstExpiry(on.state, [key('FileID_1')], TRASH_MS))).toBe(T0 + 7 + TRASH_MS);
    const two = [key('FileID_2'), key('FileID_none')];
    expect(atOnce(firstExpiry(on.state, two, 1))).toBe(T0 + 9_000);
    expect(nextExpiry(on.state, T0, TRASH_MS)).toBe(T0 + 7 + TRASH_MS);
    expect(nextExpiry(on.state, T0 + 7 + TRASH_MS, TRASH_MS)).toBe(T0 + 9_000);
    expect(nextExpiry(on.state, T0 + 9_000, TRASH_MS)).toBeNull();
  });
});
