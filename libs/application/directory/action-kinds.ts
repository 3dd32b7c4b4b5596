import { directoryCommands as commands } from '../../domain/directory/definitions.js';
import { directoryReads as reads, type ReadItem } from '../../domain/directory/read-item.js';
import { MOST_FOLDERS_MADE } from '../../domain/directory/changes/restore.js';
import { accept, type CommandDefinition, type Context } from '../../domain/foundation/decision.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { CommandOfMany } from '../../engine/writer/call.js';
import { fresh } from '../fresh.js';

interface ChangeKind {
  readonly definition: CommandDefinition<never, unknown>;
  readonly fresh?: () => object;
}

interface ReadKind {
  readonly read: ReadItem<object>;
  readonly fresh: () => object;
}

type ActionKind = ChangeKind | ReadKind;

const shareTrack = () => ({ share_track_id: fresh.id('ShareTrackID_') });
const permission = () => ({ permission_id: fresh.id(PREFIX.directory_permission) });
const folderIds = () => Array.from({ length: MOST_FOLDERS_MADE }, () => fresh.id(PREFIX.folder));

/** The actions on files and folders, by their name in the API. */
export const ACTIONS = {
  GET_FILE: { read: reads.GetFile, fresh: shareTrack },
  GET_FOLDER: { read: reads.GetFolder, fresh: shareTrack },
  CREATE_FILE: {
    definition: commands.CreateFile,
    fresh: () => ({
      id: fresh.id(PREFIX.file),
      version_id: fresh.id(PREFIX.file_version),
      ...permission(),
    }),
  },
  CREATE_FOLDER: {
    definition: commands.CreateFolder,
    fresh: () => ({ id: fresh.id(PREFIX.folder), ...permission() }),
  },
  UPDATE_FILE: {
    definition: commands.UpdateFile,
    fresh: () => ({ version_id: fresh.id(PREFIX.file_version) }),
  },
  UPDATE_FOLDER: { definition: commands.UpdateFolder },
  DELETE_FILE: { definition: commands.DeleteFile },
  DELETE_FOLDER: { definition: commands.DeleteFolder },
  COPY_FILE: { definition: commands.CopyFile, fresh: () => ({ id: fresh.id(PREFIX.file) }) },
  COPY_FOLDER: { definition: commands.CopyFolder, fresh: () => ({ id: fresh.id(PREFIX.folder) }) },
  MOVE_FILE: { definition: commands.MoveFile },
  MOVE_FOLDER: { definition: commands.MoveFolder },
  RESTORE_TRASH: { definition: commands.RestoreTrash, fresh: () => ({ folder_ids: folderIds() }) },
} as const satisfies Record<string, ActionKind>;

export type ActionName = keyof typeof ACTIONS;

/** One parsed action, or the refusal of an invalid one; it has no name if that is what is wrong. */
export type ActionInput =
  | { readonly name: ActionName; readonly payload: object }
  | { readonly name?: ActionName; readonly invalid: Refusal };

/** True for an action that may append events. */
export function isChange(action: ActionInput): boolean {
  return 'payload' in action && 'definition' in ACTIONS[action.name];
}

/** True for an action that would append none if it were valid. */
export function isRead({ name }: ActionInput): boolean {
  return name !== undefined && 'read' in ACTIONS[name];
}

export function answerRead(context: Context, action: ActionInput): object | Refusal {
  if ('invalid' in action) return action.invalid;
  const kind: ActionKind = ACTIONS[action.name];
  if ('definition' in kind) throw new Error(`${action.name} is not a read action`);
  return kind.read(context, inputOf(action, kind) as never);
}

/** The command that runs an action in its drive's queue. */
export function commandOf(action: ActionInput): CommandOfMany {
  if ('invalid' in action) return { definition: Invalid, command: action.invalid };
  const kind: ActionKind = ACTIONS[action.name];
  const command = inputOf(action, kind);
  return {
    definition: 'definition' in kind ? kind.definition : readCommand(action.name, kind),
    command,
  };
}

function inputOf({ payload }: { readonly payload: object }, kind: ActionKind): object {
  return { ...payload, ...(kind.fresh && { fresh: kind.fresh() }) };
}

/** Stands in for an invalid action, so that the other actions keep their positions. */
const Invalid: CommandDefinition<Refusal, never> = {
  name: 'InvalidAction',
  decide: (_, refusal) => refusal,
  answer: () => undefined as never,
};

/** A read action as a command: it sees the effects of the earlier actions and appends no event. */
function readCommand(name: string, { read }: ReadKind): CommandDefinition<never, unknown> {
  return {
    name,
    decide(context, query) {
      const outcome = read(context, query);
      return isRefusal(outcome) ? outcome : { ...accept([]), outcome };
    },
    answer: (_, __, ___, outcome) => outcome,
  };
}
