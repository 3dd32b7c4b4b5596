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
  /** Generated values for one action. */
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

/** Everything that a request may do with files and folders, by the name clients know it by. */
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

/** One action as it was read, or why it cannot be run at all. */
export type ActionInput =
  { readonly name: ActionName; readonly payload: object } | { readonly invalid: Refusal };

/** True for an action that changes something, unless it is refused. */
export function isChange(action: ActionInput): boolean {
  return 'name' in action && 'definition' in ACTIONS[action.name];
}

/** Answers an action that changes nothing. */
export function answerRead(context: Context, action: ActionInput): object | Refusal {
  if ('invalid' in action) return action.invalid;
  const kind: ActionKind = ACTIONS[action.name];
  if ('definition' in kind) throw new Error(`${action.name} is no question`);
  return kind.read(context, inputOf(action, kind) as never);
}

/** An action as it stands in the queue of its drive, among the other actions of its request. */
export function commandOf(action: ActionInput): CommandOfMany {
  if ('invalid' in action) return { definition: Invalid, command: action.invalid };
  const kind: ActionKind = ACTIONS[action.name];
  const command = inputOf(action, kind);
  return {
    definition: 'definition' in kind ? kind.definition : lookOf(action.name, kind),
    command,
  };
}

function inputOf({ payload }: { readonly payload: object }, kind: ActionKind): object {
  return { ...payload, ...(kind.fresh && { fresh: kind.fresh() }) };
}

/** Takes the place of an action that cannot be run, so that all others keep theirs. */
const Invalid: CommandDefinition<Refusal, never> = {
  name: 'InvalidAction',
  decide: (_, refusal) => refusal,
  answer: () => undefined as never,
};

/** A question in the place of a command: it sees what those before it did, and makes no event. */
function lookOf(name: string, { read }: ReadKind): CommandDefinition<never, unknown> {
  return {
    name,
    decide(context, question) {
      const outcome = read(context, question);
      return isRefusal(outcome) ? outcome : { ...accept([]), outcome };
    },
    answer: (_, __, ___, outcome) => outcome,
  };
}
