import type { Context } from '../foundation/decision.js';
import type { DomainEvent } from '../foundation/events.js';
import { decidedBy, namedCommands } from '../foundation/commands.js';
import type {
  CopyItem,
  CreateFile,
  CreateFolder,
  DeleteItem,
  RestoreTrash,
  SweepExpired,
  TransferItem,
  UpdateFile,
  UpdateFolder,
} from './commands.js';
import { type Created, createFile, createFolder } from './changes/create.js';
import { deleteItem, type ItemDeleted, presentDeleted, recoverDeleted } from './changes/delete.js';
import { type FileView, presentFile } from './file-view.js';
import { type FolderView, presentFolder } from './folder-view.js';
import { presentRestored, type Restored, restoreTrash } from './changes/restore.js';
import { storedName } from './items/names.js';
import type { FileRecord } from './record.js';
import { shownAfter } from './shown-after.js';
import { sweepExpired } from './changes/sweep.js';
import { retentionCommands } from './content/retention.js';
import { PutFile } from './content/put.js';
import { StoreContent } from './content/store.js';
import { copyItem, moveItem, type Transferred } from './changes/transfer.js';
import { updateFile, updateFolder } from './changes/update.js';
import { type UploadOrder, uploadOrder } from './items/upload.js';

export interface FileCreated {
  file: FileView;
  /** Null if the disk does not take uploads, or an existing file was kept. */
  upload: UploadOrder | null;
  notes: string;
}

export interface FolderCreated {
  folder: FolderView;
  notes: string;
}

export interface FileUpdated {
  file: FileView;
  /** Only present if requested. */
  upload?: UploadOrder | null;
  notes: string;
}

export interface FileDeleted {
  file_id: string;
  path_to_trash: string;
}

export interface FolderDeleted extends ItemDeleted {
  folder_id: string;
}

const file = (context: Context, id: string) => presentFile(context, context.state.files.get(id)!);
const folder = (context: Context, id: string) =>
  presentFolder(context, context.state.folders.get(id)!);
const transferredBy =
  <View>(present: (context: Context, id: string) => View) =>
  (context: Context, _: unknown, __: unknown, outcome: unknown): View =>
    present(context, (outcome as Transferred).item_id);

/** The fields of the command that the file has from it. */
function appliedTo(
  { state }: Context,
  record: FileRecord,
  command: CreateFile,
  events: readonly DomainEvent[],
): object {
  const { name, extension, expires_at, ...others } = command;
  if (events.length === 0) return { name };
  return {
    ...others,
    // A file that was overwritten by its id keeps its name.
    ...(record.name === storedName(name) && { name, extension }),
    // The disk may set the expiry.
    ...(!state.disks.get(record.disk_id)!.autoexpire_ms && { expires_at }),
  };
}

export const directoryCommands = namedCommands({
  CreateFile: decidedBy<CreateFile, FileCreated>(createFile, {
    answer(context, command, events, outcome) {
      const { item_id, notes } = outcome as Created;
      const record = context.state.files.get(item_id)!;
      const said = appliedTo(context, record, command, events);
      const shown = shownAfter(context, presentFile(context, record), said);
      // A file that was kept takes no content.
      const upload = events.length > 0 ? uploadOrder(context, record, command) : null;
      return { file: shown, upload, notes };
    },
  }),

  CreateFolder: decidedBy<CreateFolder, FolderCreated>(createFolder, {
    answer(context, command, events, outcome) {
      const { item_id, notes } = outcome as Created;
      const said = events.length > 0 ? command : { name: command.name };
      return { folder: shownAfter(context, folder(context, item_id), said), notes };
    },
  }),

  UpdateFile: decidedBy<UpdateFile, FileUpdated>(updateFile, {
    answer(context, command, _, outcome) {
      const { id, request_presigned_url, fresh } = command;
      const record = context.state.files.get(id)!;
      return {
        file: shownAfter(context, presentFile(context, record), command),
        ...(request_presigned_url && {
          upload: uploadOrder(context, record, {
            ...command,
            next_version_id: ((outcome as typeof fresh | undefined) ?? fresh).version_id,
          }),
        }),
        notes: 'Updated.',
      };
    },
  }),

  UpdateFolder: decidedBy<UpdateFolder, { folder: FolderView }>(updateFolder, {
    answer: (context, command) => ({
      folder: shownAfter(context, folder(context, command.id), command),
    }),
  }),

  DeleteFile: decidedBy<DeleteItem, FileDeleted>(deleteItem('file'), {
    answer(context, command, _, outcome) {
      const { path_to_trash } = presentDeleted(context, command, outcome);
      return { file_id: command.id, path_to_trash };
    },
  }),

  DeleteFolder: decidedBy<DeleteItem, FolderDeleted>(deleteItem('folder'), {
    answer: (context, command, _, outcome) => ({
      folder_id: command.id,
      ...presentDeleted(context, command, outcome),
    }),
    recoverOutcome: recoverDeleted,
  }),

  CopyFile: decidedBy<CopyItem, FileView>(copyItem('file'), { answer: transferredBy(file) }),
  CopyFolder: decidedBy<CopyItem, FolderView>(copyItem('folder'), {
    answer: transferredBy(folder),
  }),
  MoveFile: decidedBy<TransferItem, FileView>(moveItem('file'), { answer: transferredBy(file) }),
  MoveFolder: decidedBy<TransferItem, FolderView>(moveItem('folder'), {
    answer: transferredBy(folder),
  }),

  RestoreTrash: decidedBy<RestoreTrash, Restored>(restoreTrash, {
    answer: presentRestored,
  }),

  StoreContent,
  PutFile,
  ...retentionCommands,

  SweepExpired: decidedBy<SweepExpired, { swept: boolean }>(sweepExpired, {
    answer: (_, __, events) => ({ swept: events.length > 0 }),
  }),
});
