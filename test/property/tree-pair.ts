import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { CONFLICT_RESOLUTIONS } from '../../libs/domain/directory/commands.js';
import { listPlace } from '../../libs/domain/directory/finding/listing.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import { isRefusal } from '../../libs/domain/kernel/refusal.js';
import { disk, ROOT, TRASH, directoryGrant } from '../../libs/domain/permissions/testing/grants.js';
import { OWNER, SPEC_SETTINGS, SpecDrive } from '../../libs/domain/testing/drive.js';
import { fullPath } from '../../libs/domain/access/paths.js';
import { TreeModel } from './tree-model.js';

const READER = 'UserID_reader';
const WRITER = 'UserID_writer';
/** May change everything and delete nothing. */
const EDITOR = 'UserID_editor';
const USERS = [OWNER, OWNER, WRITER, EDITOR, READER];
const TRASH_MS = 700;
/** Few and alike, so that they meet: in case, with and without extensions, as numbered ones. */
const NAMES = ['a', 'A', 'a.txt', 'a (2).txt', 'b', 'b (2)', '.rc', 'x.tar.gz'];

export const treeStep = fc.record({
  kind: fc.constantFrom(
    'create-file',
    'create-file',
    'create-folder',
    'create-folder',
    'rename',
    'expire',
    'trash',
    'delete',
    'copy',
    'move',
    'move',
    'restore',
    'restore',
    'wait',
  ),
  user: fc.constantFrom(...USERS),
  item: fc.nat(0xffff),
  other: fc.nat(0xffff),
  name: fc.constantFrom(...NAMES),
  policy: fc.constantFrom(...CONFLICT_RESOLUTIONS, 'KEEP_BOTH' as const),
  /** Now and then something expires, or a folder is closed to all but grants of its own. */
  rare: fc.nat(9),
});
type Step = typeof treeStep extends fc.Arbitrary<infer One> ? One : never;

/** A drive and the model beside it, both told the same. */
export class TreePair {
  readonly drive = new SpecDrive().given(
    disk,
    directoryGrant('r', ROOT, { granted_to: READER, permission_types: ['VIEW'] }),
    directoryGrant('w', ROOT, {
      granted_to: WRITER,
      permission_types: ['VIEW', 'UPLOAD', 'EDIT', 'DELETE'],
    }),
    directoryGrant('e', ROOT, {
      granted_to: EDITOR,
      permission_types: ['VIEW', 'UPLOAD', 'EDIT'],
    }),
  );
  readonly model = new TreeModel(
    ROOT,
    TRASH,
    {
      [OWNER]: null,
      [READER]: new Set(['VIEW']),
      [WRITER]: new Set(['VIEW', 'UPLOAD', 'EDIT', 'DELETE']),
      [EDITOR]: new Set(['VIEW', 'UPLOAD', 'EDIT']),
    },
    TRASH_MS,
  );
  private made = 0;
  accepted = 0;
  refused = 0;
  swept = 0;

  constructor() {
    this.drive.settings = { ...SPEC_SETTINGS, trash_ms: TRASH_MS };
  }

  take(taken: Step): void {
    const { model } = this;
    model.now = this.drive.now;
    const items = [...model.nodes.values()];
    const item = items[taken.item % items.length]!;
    const folders = items.filter(({ kind }) => kind === 'folder');
    const folder = folders[taken.other % folders.length]!;
    const { user, name, policy } = taken;
    const nth = ++this.made;
    const expires_at = taken.rare === 0 ? this.drive.now + 40 : -1;
    const is_sovereign = taken.rare === 1;
    const place = { parent_folder_uuid: folder.id, disk_id: 'DiskID_1', expires_at };
    const fresh = { permission_id: `DirectoryPermissionID_own-${nth}` };
    const transfer = {
      id: item.id,
      destination_folder_id: folder.id,
      file_conflict_resolution: policy,
    };
    const kind = item.kind === 'file' ? 'File' : 'Folder';
    const { drive } = this;
    switch (taken.kind) {
      case 'create-file': {
        const id = `FileID_${nth}`;
        const version_id = `FileVersionID_${nth}`;
        return this.both(
          directoryCommands.CreateFile,
          user,
          {
            ...place,
            name,
            file_size: nth,
            file_conflict_resolution: policy,
            fresh: { ...fresh, id, version_id },
          },
          () => model.create('file', user, { id, name, parent: folder, expires_at, policy }),
        );
      }
      case 'create-folder': {
        const id = `FolderID_${nth}`;
        return this.both(
          directoryCommands.CreateFolder,
          user,
          {
            ...place,
            name,
            file_conflict_resolution: policy,
            has_sovereign_permissions: is_sovereign,
            fresh: { ...fresh, id },
          },
          () =>
            model.create('folder', user, {
              id,
              name,
              parent: folder,
              expires_at,
              policy,
              is_sovereign,
            }),
        );
      }
      case 'rename':
        return this.both(directoryCommands[`Update${kind}`], user, { id: item.id, name }, () =>
          model.rename(user, item, name),
        );
      case 'expire': {
        const ends = [-1, drive.now + 30, drive.now + 60, drive.now][taken.rare % 4]!;
        const expiry = { id: item.id, expires_at: ends, fresh: { version_id: 'unused' } };
        return this.both(directoryCommands[`Update${kind}`], user, expiry, () =>
          model.expire(user, item, ends),
        );
      }
      case 'trash':
      case 'delete': {
        const permanent = taken.kind === 'delete';
        return this.both(
          directoryCommands[`Delete${kind}`],
          user,
          { id: item.id, permanent },
          () => (permanent ? model.remove(user, item) : model.trash(user, item)),
        );
      }
      case 'copy': {
        const id = `${kind}ID_copy-${nth}`;
        return this.both(
          directoryCommands[`Copy${kind}`],
          user,
          { ...transfer, fresh: { id } },
          () => model.copy(user, item, folder, policy, id),
        );
      }
      case 'move':
        return this.both(directoryCommands[`Move${kind}`], user, transfer, () =>
          model.move(user, item, folder, policy),
        );
      case 'restore': {
        const trashed = model.childrenOf(TRASH);
        const chosen = trashed[taken.item % Math.max(1, trashed.length)] ?? item;
        return this.both(
          directoryCommands.RestoreTrash,
          user,
          { id: chosen.id, file_conflict_resolution: policy, fresh: { folder_ids: [] } },
          () => model.restore(user, chosen, policy),
        );
      }
      case 'wait':
        drive.after(10 * (taken.rare + 1));
        if (taken.rare > 5) this.sweep();
    }
  }

  private sweep(): void {
    const { drive, model } = this;
    for (let is_over = false; !is_over;) {
      model.now = drive.now;
      const { events } = drive.when(
        directoryCommands.SweepExpired,
        { kind: 'system' },
        { most: 1000 },
      );
      model.sweep();
      this.swept += events.length;
      is_over = events.length === 0;
    }
  }

  private both(
    definition: { decide: unknown },
    user: string,
    command: object,
    tell: () => string | null,
  ): void {
    const run = definition as CommandDefinition<unknown, unknown>;
    const { refusal } = this.drive.when(run, user, command);
    const expected = tell();
    assert.deepEqual([command, refusal], [command, expected]);
    if (refusal) this.refused++;
    else this.accepted++;
  }

  /** Every path and every listing of everybody is what the model says. */
  compare(): void {
    const { drive, model } = this;
    model.now = drive.now;
    const { state } = drive;
    const items = [...state.files.values(), ...state.folders.values()];
    const paths = items.map((item) => `${item.id.split('_')[0]} ${fullPath(state, item)}`);
    assert.deepEqual(paths.sort(), model.paths().sort());
    for (const user of [OWNER, WRITER, EDITOR, READER]) {
      const context = drive.context(user);
      for (const folder of model.folders()) {
        const listing = listPlace(context, { folder_id: folder.id }, '');
        const expected = model.listing(user, folder);
        const shown = isRefusal(listing)
          ? listing.refusal
          : {
              folders: Array.from(listing.folders, ({ id }) => state.folders.get(id)!.name),
              files: Array.from(listing.files, ({ id }) => state.files.get(id)!.name),
            };
        assert.deepEqual([user, folder.name, shown], [user, folder.name, expected]);
      }
    }
  }
}
