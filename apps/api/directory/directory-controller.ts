import { Body, Inject, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiQuery } from '@nestjs/swagger';
import { isChange } from '../../../libs/application/directory/action-kinds.js';
import type {
  ActionOutcome,
  ActionsDone,
} from '../../../libs/application/directory/action-outcomes.js';
import { RunActions } from '../../../libs/application/directory/actions.js';
import { inline, listOf, optional, type Shape } from '../../../libs/domain/kernel/view.js';
import { directoryPageView, ListDirectory } from '../../../libs/application/directory/list.js';
import { ReadActions } from '../../../libs/application/directory/read-actions.js';
import { fresh, generating } from '../../../libs/application/fresh.js';
import { presentDryRun, dryRunView } from '../../../libs/application/replay/dry-run.js';
import { JsonText } from '../../../libs/application/views.js';
import { uuid5 } from '../../../libs/domain/kernel/sha1.js';
import { AsOf } from '../drive/as-of.js';
import { dataOf, failureError } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import {
  ApiRawResponse,
  ApiReadOrCommand,
  both,
  Operation,
} from '../platform/openapi/openapi-decorators.js';
import { refusalError } from '../refusals.js';
import { type ActionBody, ActionsBody, readAction } from './actions-body.js';
import { ListDirectoryBody } from './list-body.js';
import { actionOutcomeView, type ActionOutcomeView } from './action-views.js';
import { DriveController } from '../drive/drive-controller.js';

const ACTIONS_TEXT = `
The status is 200 even if actions fail: each outcome has its own success or error, in the order of the actions.
With an Idempotency-Key, all actions are stored in one append; if they exceed its size, none is (413). A key that was
used with another request is 422. If-Match applies to the record of each action. With \`as_of\`, only reads are allowed.
In a dry run, each action is decided as if the earlier ones had been stored. The list is that of a real call; with
\`?envelope=ok\`, \`dry_run\` beside \`data\` contains the events that a real call would store.

| Action | Needs | Result |
|---|---|---|
| GET_FILE, GET_FOLDER | VIEW | \`{file or folder, breadcrumbs}\` |
| CREATE_FILE | UPLOAD on the parent; if \`id\` is an existing file: EDIT on it, and for expires_at as UPDATE_FILE | \`{file, upload, notes}\` |
| CREATE_FOLDER | UPLOAD on the parent | \`{folder, notes}\` |
| UPDATE_FILE, UPDATE_FOLDER | EDIT; for an earlier expires_at also the permission of DELETE_* | \`{file, upload?, notes}\`, \`{folder}\` |
| DELETE_FILE, DELETE_FOLDER | DELETE on the parent or directly on the item | the id, \`path_to_trash\`, ids of contained items |
| COPY_FILE, COPY_FOLDER | VIEW on the source, UPLOAD on the destination | the copy |
| MOVE_FILE, MOVE_FOLDER | VIEW and EDIT on the source, UPLOAD on the destination | the moved record |
| RESTORE_TRASH | UPLOAD on the destination, VIEW and EDIT on the item; the user who trashed it needs none to restore it to its prior folder | \`{restored_files, restored_folders}\` |

**Name conflicts.** \`file_conflict_resolution\` applies if the name is in use. KEEP_BOTH uses \`name (2).ext\` or the
next free number. REPLACE stores a new version (create) or moves the existing item to the trash. KEEP_NEWER does the
same, but only if the existing item is older. KEEP_ORIGINAL keeps the existing item (create, restore: 409). Replacing
requires EDIT on the existing item (create) or permission to delete it. A copy or move that returns the existing item
requires VIEW on it.

**Trash and expiry.** An item in the trash keeps its id and content. If the trash already has its name, the item is
renamed there, and gets its own name back when restored. An earlier expiry counts as deletion: a move or restore into a
folder that expires before the item requires permission to delete the item. Expired items go to the trash and do not
expire there again; expired content that does not inherit permissions goes there as an item of its own. The trash keeps
items for TRASH_DAYS (default 30). Disks with \`autoexpire_ms\` remove expired items permanently; a new version there
never expires earlier than the file did.

**Limits.** One action may copy, trash, restore or remove at most DIRECTORY_ITEMS_PER_ACTION files and folders; if it
affects more, it fails with 413 and that number. That holds for a replaced item, too. All content counts, also what a
copy leaves out because the caller may not view it. The labels on copied items count likewise. If one of several actions is a
change, their results fit together in TRANSACTION_ANSWER_BYTES; an action whose result does not fit fails with 413 and
changes nothing. The full path of a folder has at most 8192
characters and 1024 folders: an action that would make one longer fails with 400. Copying or moving a folder into itself or a subfolder is 400.

**Content.** On AWS_BUCKET and STORJ_WEB3 disks, \`upload\` is a form for uploading one private object, valid for 24 hours.
Every version has its own object, \`{drive}/{disk}/{file}/{version}.{extension}\`; the form sets its media type and file
name. A copy shares the stored object of its source: the service copies records, not objects in buckets. With
\`upload_sha256\` in the payload, the bucket accepts no other content. UPDATE_FILE with \`upload_status: COMPLETED\` makes the service ask
the bucket for the object and record its size, media type and, if the bucket knows it, SHA-256. If the object is missing,
the action fails with 400; if the bucket does not answer in time, with 503. Not with \`VERIFY_BUCKET_UPLOADS=false\`.
`.trim();

/** Command options of a read with `as_of`. */
const NO_COMMAND = { dry_run: false, idempotency: null };
const OUTCOME_PREFIX = 'DirectoryActionOutcomeID_';

const page = inline({ ok: inline({ data: directoryPageView }) });
const outcomes = listOf(actionOutcomeView);
const enveloped = inline({ ok: inline({ data: outcomes, dry_run: optional(dryRunView) }) });
const listOrEnvelope: Shape = {
  schema: { oneOf: [outcomes.schema, enveloped.schema] },
  views: enveloped.views,
};

@DriveController('directory')
export class DirectoryController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  /** The fields appear twice: older clients read them at the top level, newer ones in `ok.data`. */
  @Post('list')
  @AsOf()
  @ApiRawResponse(both(directoryPageView, page), {
    description: 'The same fields twice: at the top level and in `ok.data`',
  })
  @Operation({
    id: 'listFolder',
    summary: 'List a folder, or the items shared with the caller on a disk',
    description:
      'Ordered by name, folders before files in both directions. Requires VIEW on the folder. Children on ' +
      'which the caller lacks VIEW are omitted. A page has at most page_size items, folders and files together.',
    errors: ['permission.denied', 'folder.not-found', 'disk.not-found'],
  })
  async list(@Call() call: DriveRequest, @Body() body: ListDirectoryBody): Promise<string> {
    const { folder_id, path, disk_id, ...rest } = body;
    const place = {
      ...(folder_id !== undefined && { folder_id }),
      ...(path !== undefined && { path }),
      ...(disk_id !== undefined && { disk_id }),
    };
    const querying = this.queries.execute(new ListDirectory(call, { ...rest, place }));
    const data = await dataOf(call.reply, querying);
    const text = data instanceof JsonText ? data.text : JSON.stringify(data);
    void call.reply.header('Content-Type', 'application/json; charset=utf-8');
    return `${text.slice(0, -1)},"ok":{"data":${text}}}`;
  }

  /** Runs actions in order, each as its own transaction; a failed action does not stop the others. */
  @Post('action')
  @ApiReadOrCommand()
  @AsOf()
  @ApiQuery({
    name: 'envelope',
    required: false,
    schema: { type: 'string', enum: ['ok'] },
    description:
      '`ok`: the outcomes are in `ok.data`, as in other operations; a dry run adds `ok.dry_run`',
  })
  @ApiRawResponse(listOrEnvelope, {
    description:
      'One outcome per action, in the same order: a bare array, or with `?envelope=ok` the usual envelope',
  })
  @Operation({
    id: 'runDirectoryActions',
    summary: 'Run 1–100 actions on files and folders',
    description: ACTIONS_TEXT,
    errors: ['request.events-too-large'],
  })
  async action(
    @Call() call: DriveRequest,
    @Body() body: ActionsBody,
    @Query('envelope') envelope?: string,
  ) {
    const done = await this.run(call, body.actions.map(readAction));
    const id = outcomeIds(call, done.revision);
    const data = done.outcomes.map((outcome, at) =>
      presentOutcome(id(at), body.actions[at]!, outcome),
    );
    if (envelope !== 'ok') return data;
    const dry_run = presentDryRun(done);
    return { ok: { data, ...(dry_run && { dry_run }) } };
  }

  private async run(
    call: DriveRequest,
    actions: ReturnType<typeof readAction>[],
  ): Promise<ActionsDone> {
    const { drive_id } = call;
    const request = call.past ? null : call.command;
    const is_read = request === null || !actions.some(isChange);
    const running = generating(request?.dry_run, () =>
      is_read
        ? this.queries.execute(new ReadActions(call, { actions, request }))
        : this.commands.execute(new RunActions(drive_id, actions, request)),
    );
    return (await dataOf(call.reply, running)) as ActionsDone;
  }
}

/** Ids of outcomes. With an idempotency key they derive from the revision, so a repeated request returns the same ids. */
function outcomeIds(call: DriveRequest, revision: number): (at: number) => string {
  const { dry_run, idempotency } = call.past ? NO_COMMAND : call.command;
  if (dry_run || !idempotency) return () => generating(dry_run, () => fresh.id(OUTCOME_PREFIX));
  const place = [call.drive_id, revision, idempotency.body].join(' ');
  return (at) => `${OUTCOME_PREFIX}${uuid5(`${place} ${at}`)}`;
}

function presentOutcome(
  id: string,
  requested: ActionBody,
  outcome: ActionOutcome,
): ActionOutcomeView {
  const { action, payload = {}, target } = requested;
  const request = { action, payload, ...(target && { target }) };
  if ('result' in outcome)
    return { id, success: true, request, response: { result: outcome.result as object } };
  const failed =
    'refusal' in outcome ? refusalError(outcome.refusal) : failureError(outcome.failure);
  const { status: code, message, type, details } = failed;
  return {
    id,
    success: false,
    request,
    response: { error: { code, message, type, details: [...details] } },
  };
}
