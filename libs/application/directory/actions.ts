import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  directoryCommands as commands,
  type FileRead,
  type FolderRead,
} from '../../domain/directory/definitions.js';
import { MOST_FOLDERS_MADE } from '../../domain/directory/restore.js';
import type { UploadOrder } from '../../domain/directory/upload.js';
import type { CommandDefinition } from '../../domain/drive/decision.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { lookOccurrences } from '../../domain/webhooks/items.js';
import { isRefusal, type Refusal, refuseField } from '../../domain/kernel/refusal.js';
import type { Opener } from '../../domain/kernel/sealed.js';
import {
  type CommandOfMany,
  type CommandRequest,
  type DecidedEvent,
  isRefused,
  type Outcome,
  type Refused,
} from '../../engine/call.js';
import { Drives } from '../../engine/drives.js';
import { Webhooks } from '../../engine/webhooks/webhooks.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { answerFrom } from '../read-record.js';
import { NO_UPLOAD, signUpload } from './signing.js';

interface ActionKind {
  readonly definition: CommandDefinition<never, unknown>;
  /** Generated values for one action. */
  readonly fresh?: () => object;
}

const shareTrack = () => ({ share_track_id: fresh.id('ShareTrackID_') });
const permission = () => ({ permission_id: fresh.id(PREFIX.directory_permission) });
const folderIds = () => Array.from({ length: MOST_FOLDERS_MADE }, () => fresh.id(PREFIX.folder));

/** Everything that a request may do with files and folders, by the name clients know it by. */
export const ACTIONS = {
  GET_FILE: { definition: commands.GetFile, fresh: shareTrack },
  GET_FOLDER: { definition: commands.GetFolder, fresh: shareTrack },
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

/** What became of one action. */
export type ActionOutcome =
  { readonly result: unknown } | { readonly refusal: Refusal } | { readonly failure: unknown };

export interface ActionsDone {
  readonly outcomes: readonly ActionOutcome[];
  /** Revision after the last of them. */
  readonly revision: number;
  /** Of a dry run: the events that all of them would have made, in order. */
  readonly dry_run?: readonly DecidedEvent[];
}

/**
 * Runs actions on files and folders in order, each its own transaction; refused as a whole where
 * something speaks against the request itself.
 */
export class RunActions extends Command<Outcome<ActionsDone>> {
  constructor(
    readonly drive_id: string,
    readonly actions: readonly ActionInput[],
    readonly request: CommandRequest,
  ) {
    super();
  }
}

/** Takes the place of an action that cannot be run, so that all others keep theirs. */
const Invalid: CommandDefinition<Refusal, never> = {
  name: 'InvalidAction',
  decide: (_, refusal) => refusal,
  answer: () => undefined as never,
};

@CommandHandler(RunActions)
export class RunActionsHandler implements ICommandHandler<RunActions> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
  ) {}

  async execute({ drive_id, actions, request }: RunActions): Promise<Outcome<ActionsDone>> {
    return this.drives.hold(drive_id, async (drive) => {
      const running = await this.drives.runEach(drive_id, actions.map(commandOf), request);
      if (!request.dry_run) this.noticeLooks(drive_id, actions, running);
      const first = running[0]!;
      // Where all failed it is the drive that cannot answer.
      if (first.status === 'rejected' && running.every(({ status }) => status === 'rejected'))
        throw first.reason;
      const refused = refusedWhole(running, request);
      if (refused) return refused;
      const outcomes = running.map(async (settled): Promise<ActionOutcome> => {
        if (settled.status === 'rejected') return { failure: settled.reason as unknown };
        return outcomeOf(settled.value, drive.keyring.open);
      });
      const revision = Math.max(...running.map(revisionOf));
      const dry_run = request.dry_run && { dry_run: running.flatMap(decidedBy) };
      const data = { outcomes: await Promise.all(outcomes), revision, ...dry_run };
      return { data, revision, ...(running.some(isRepeat) && { is_repeated: true as const }) };
    });
  }

  /** Tells webhooks of what was looked at. Nobody waits for that. */
  private noticeLooks(
    drive_id: string,
    actions: readonly ActionInput[],
    running: readonly PromiseSettledResult<Outcome<unknown>>[],
  ): void {
    for (const [at, action] of actions.entries()) {
      const settled = running[at]!;
      if (!('name' in action) || !READING.includes(action.name)) continue;
      if (settled.status === 'rejected' || isRefused(settled.value)) continue;
      const { share_track, ...read } = settled.value.data as FileRead | FolderRead;
      const { id } = 'file' in read ? read.file : read.folder;
      this.webhooks.notice(drive_id, (context) => lookOccurrences(context, id, share_track));
    }
  }
}

/**
 * The refusal of a request as a whole, which each of its actions meets alike: its caller's, its
 * idempotency key's, or that of its size where a key makes one append of it.
 */
function refusedWhole(
  running: readonly PromiseSettledResult<Outcome<unknown>>[],
  { idempotency }: CommandRequest,
): Refused | null {
  const refusals = running.map((settled) =>
    settled.status === 'fulfilled' && isRefused(settled.value) ? settled.value : null,
  );
  const [first] = refusals;
  if (!first) return null;
  const { refusal } = first.refusal;
  const is_whole =
    refusal === 'unauthenticated' ||
    refusal === 'idempotency-key-reused' ||
    (refusal === 'too-large' && idempotency !== null);
  return is_whole && refusals.every((one) => one?.refusal.refusal === refusal) ? first : null;
}

function revisionOf(settled: PromiseSettledResult<Outcome<unknown>>): number {
  return settled.status === 'fulfilled' ? settled.value.revision : -1;
}

function isRepeat(settled: PromiseSettledResult<Outcome<unknown>>): boolean {
  return settled.status === 'fulfilled' && 'is_repeated' in settled.value;
}

function decidedBy(settled: PromiseSettledResult<Outcome<unknown>>): readonly DecidedEvent[] {
  if (settled.status === 'rejected' || isRefused(settled.value)) return [];
  return settled.value.dry_run ?? [];
}

/** Reads files and folders as of a point of the past. */
export class ReadActions extends DriveQuery<readonly ActionInput[], ActionsDone> {}

const READING: readonly string[] = ['GET_FILE', 'GET_FOLDER'] satisfies ActionName[];

export const readActionsHandler = driveQueryHandler(ReadActions, (drives, reader, actions) =>
  answerFrom(drives, reader, async (context) => {
    const changes = actions.findIndex(
      (action) => 'name' in action && !READING.includes(action.name),
    );
    if (changes >= 0)
      return refuseField(`/actions/${changes}/action`, 'must be GET_FILE or GET_FOLDER with as_of');
    const outcomes = actions.map(async (action): Promise<ActionOutcome> => {
      const { definition, command } = commandOf(action) as {
        definition: CommandDefinition<unknown, unknown>;
        command: unknown;
      };
      const decision = definition.decide(context, command);
      if (isRefusal(decision)) return { refusal: decision };
      const data = definition.answer(context, command, [], decision.outcome);
      return outcomeOf({ data, revision: context.state.revision }, context.open);
    });
    return { outcomes: await Promise.all(outcomes), revision: context.state.revision };
  }),
);

function commandOf(action: ActionInput): CommandOfMany {
  if ('invalid' in action) return { definition: Invalid, command: action.invalid };
  const kind: ActionKind = ACTIONS[action.name];
  const command = { ...action.payload, ...(kind.fresh && { fresh: kind.fresh() }) };
  return { definition: kind.definition, command };
}

/** The outcome as it is answered: addresses signed, and what only listeners hear of left out. */
async function outcomeOf(outcome: Outcome<unknown>, open: Opener): Promise<ActionOutcome> {
  if (isRefused(outcome)) return { refusal: outcome.refusal };
  const { share_track: _, ...result } = outcome.data as Record<string, unknown>;
  if (!('upload' in result)) return { result };
  const order = result.upload as UploadOrder | null;
  if (!order) return { result: { ...result, upload: NO_UPLOAD } };
  try {
    return { result: { ...result, upload: await signed(order, open) } };
  } catch {
    // The action itself is done; credentials may hold anything, and what was wrong with them is secret.
    const notes = `${String(result.notes)} The credentials of the disk cannot sign an upload.`;
    return { result: { ...result, upload: NO_UPLOAD, notes } };
  }
}

function signed({ auth_json, ...upload }: UploadOrder, open: Opener) {
  return signUpload(open(auth_json, 'auth_json') ?? '', upload);
}
