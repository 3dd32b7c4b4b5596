import { Access } from '../../access/access.js';
import { isOwnStorage } from '../../disks/record.js';
import { type Accepted, accept, type Context, type Decider } from '../../foundation/decision.js';
import { decidedBy } from '../../foundation/commands.js';
import { event } from '../../foundation/events.js';
import { PREFIX } from '../../kernel/ids.js';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.js';
import { itemNamed } from '../../relations/directory-tree.js';
import { createFile } from '../changes/create.js';
import type { CreateFile } from '../commands.js';
import { presentFile } from '../file-view.js';
import { storedName } from '../items/names.js';
import { holds } from '../items/rights.js';
import { shownAfter } from '../shown-after.js';
import {
  admitUpload,
  bytesIn,
  type ContentStored,
  type ReceivedContent,
  refuseSize,
  type Room,
  roomFor,
  StoreContent,
} from './store.js';

/** A file by its name in a folder, which may not exist. */
export interface PutTarget {
  parent_folder_uuid: string;
  name: string;
}

export interface PutFile extends PutTarget {
  content: ReceivedContent;
  fresh: CreateFile['fresh'];
}

/** A permitted creation of a file with its content. */
interface NewFile {
  readonly created: Accepted;
  readonly disk_id: string;
  readonly room: Room;
}

/** Where the bytes of a permitted upload to a name would go. */
type AdmittedPut = Pick<NewFile, 'disk_id' | 'room'>;

/** Ids of a creation that is only checked or looked up. */
export const UNMADE = { id: '', version_id: '', permission_id: '' };

/**
 * The file of that name whose content the caller may replace. Of any other the caller learns what the creation of a
 * file would tell.
 */
function replaceable(context: Context, { parent_folder_uuid, name }: PutTarget): string | null {
  const { state, now } = context;
  const stored = storedName(name);
  if (typeof stored !== 'string') return null;
  const file = itemNamed(state, 'file', parent_folder_uuid, stored, now);
  return file && holds(Access.of(context), 'EDIT', file.id) ? file.id : null;
}

function newFile(
  context: Context,
  { parent_folder_uuid, name }: PutTarget,
  file_size: number,
  fresh: CreateFile['fresh'],
): NewFile | Refusal {
  const { state } = context;
  const disk_id = state.folders.get(parent_folder_uuid)?.disk_id ?? '';
  const created = createFile(context, {
    ...{ parent_folder_uuid, name, disk_id, file_size, fresh },
    file_conflict_resolution: 'REPLACE',
  });
  if (isRefusal(created)) return created;
  const disk = state.disks.get(disk_id)!;
  if (!isOwnStorage(disk)) return refuse('content-elsewhere');
  return { created, disk_id, room: roomFor(context, disk) };
}

/** Checks an upload to a name before its bytes are received. */
export function admitPut(context: Context, target: PutTarget): AdmittedPut | Refusal {
  const file_id = replaceable(context, target);
  if (file_id !== null) {
    const admitted = admitUpload(context, { id: file_id });
    if (isRefusal(admitted)) return admitted;
    return { disk_id: admitted.disk.id, room: admitted.room };
  }
  return newFile(context, target, 0, UNMADE);
}

const putFile: Decider<PutFile> = (context, command) => {
  const { content, fresh } = command;
  const id = replaceable(context, command);
  if (id !== null) return StoreContent.decide(context, { id, content, fresh });
  const admitted = newFile(context, command, content.size, fresh);
  if (isRefusal(admitted)) return admitted;
  const { created, room } = admitted;
  const refused = refuseSize(content.size, bytesIn(room));
  if (refused) return refused;
  return accept(
    created.allowed_by,
    ...created.events,
    event('FileContentStored', {
      file_id: fresh.id,
      version_id: fresh.version_id,
      stored_by: context.caller.user_id,
      ...content,
    }),
  );
};

export const PutFile = decidedBy<PutFile, ContentStored>(putFile, {
  named: (context, command) => context.state.files.get(replaceable(context, command) ?? ''),
  generate: (fresh) => ({
    id: fresh.id(PREFIX.file),
    version_id: fresh.id(PREFIX.file_version),
    permission_id: fresh.id(PREFIX.directory_permission),
  }),
  answer(context, command, events) {
    const stored = events.at(-1)!;
    const { file_id } = stored.data as { file_id: string };
    const view = presentFile(context, context.state.files.get(file_id)!);
    return { file: shownAfter(context, view, command) };
  },
});
