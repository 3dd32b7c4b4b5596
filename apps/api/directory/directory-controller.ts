import {
  Body,
  Controller,
  Get,
  Inject,
  Param,
  Post,
  Query,
  Redirect,
  UseGuards,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiQuery, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { isChange } from '../../../libs/application/directory/action-kinds.js';
import type {
  ActionOutcome,
  ActionsDone,
} from '../../../libs/application/directory/action-outcomes.js';
import { RunActions } from '../../../libs/application/directory/actions.js';
import { GetAsset } from '../../../libs/application/directory/asset.js';
import { ListDirectory } from '../../../libs/application/directory/list.js';
import { ReadActions } from '../../../libs/application/directory/read-actions.js';
import { fresh, generating } from '../../../libs/application/fresh.js';
import { presentDryRun } from '../../../libs/application/replay/dry-run.js';
import { JsonText } from '../../../libs/application/views.js';
import { uuid5 } from '../../../libs/domain/kernel/sha1.js';
import { AsOf } from '../drive/as-of.js';
import { dataOf, failureError } from '../drive/drive-api.js';
import { DriveGuard, Token } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { ApiCommandToo, ApiOpen, Operation } from '../platform/openapi/openapi-decorators.js';
import { RulePipe } from '../platform/requests/validation.js';
import { refusalError } from '../refusals.js';
import { ActionOutcomeRecord, DirectoryPageRecord } from './action-records.js';
import { type ActionBody, ActionsBody, readAction } from './actions-body.js';
import { assetFileId } from './asset-id.js';
import { DryRunRecord } from '../records/dry-run.js';
import { ListDirectoryBody } from './list-body.js';

const ACTIONS_TEXT = `
200 whatever becomes of the actions: each outcome says by itself whether its action succeeded, in the order asked
for. With an Idempotency-Key all actions go into one append or, beyond its size, none: 413; a key of another request
is 422. If-Match is compared with the record that each action names. With \`as_of\` only reads.
In a dry run each action is decided on what those before it would have done, and the list is that of the real
call; what would have been stored stands in \`dry_run\` beside \`data\`, so only with \`?envelope=ok\`.

| Action | Needs | Result |
|---|---|---|
| GET_FILE, GET_FOLDER | VIEW | \`{file or folder, breadcrumbs}\` |
| CREATE_FILE | UPLOAD on the parent; EDIT on a file that \`id\` names, and as UPDATE_FILE for its end | \`{file, upload, notes}\` |
| CREATE_FOLDER | UPLOAD on the parent | \`{folder, notes}\` |
| UPDATE_FILE, UPDATE_FOLDER | EDIT; for an earlier end also what DELETE_* needs | \`{file, upload?, notes}\`, \`{folder}\` |
| DELETE_FILE, DELETE_FOLDER | DELETE on the parent or directly on the item | the id, \`path_to_trash\`, ids of the content |
| COPY_FILE, COPY_FOLDER | VIEW on the source, UPLOAD on the destination | the copy |
| MOVE_FILE, MOVE_FOLDER | VIEW and EDIT on the source, UPLOAD on the destination | the moved record |
| RESTORE_TRASH | UPLOAD on the destination, and VIEW and EDIT on the item or having trashed it | \`{restored_files, restored_folders}\` |

Where a name is in use, \`file_conflict_resolution\` decides: KEEP_BOTH takes \`name (2).ext\` or the next free
number; REPLACE stores a new version (create) or puts the existing item into the trash; KEEP_NEWER does so
only if the existing one is older; KEEP_ORIGINAL keeps it (create, restore: 409). Replacing needs EDIT on the
existing item (create) or the right to delete it, a copy or move that answers the existing item VIEW on it.
An item in the trash keeps its id and content; what is trashed under another name, because the trash had it
already, is restored under its own.
To end sooner is to be deleted, so a move or restore into a folder that expires before the item takes the right to
delete it. What expires goes into the trash, where it does not expire any more; content that cuts inheritance off
goes there by itself. The trash keeps items for TRASH_DAYS (30 unless set). Disks with \`autoexpire_ms\` remove for good
what has expired; a new version there never ends before the file did.
One action copies, trashes, restores or removes at most as many files and folders as the installation allows
(DIRECTORY_ITEMS_PER_ACTION), beyond it 413 with that number; nothing is copied or moved into itself or below: 400.
On AWS_BUCKET and STORJ_WEB3 disks \`upload\` is a form for one private object, valid for 24 hours. Every version has an
object of its own, \`{drive}/{disk}/{file}/{version}.{extension}\`; its form carries the media type and the file's name.
Copies share the stored object of their source: the service copies records, not what lies in buckets.
`.trim();

/** What a read of the past has of a command. */
const NO_COMMAND = { dry_run: false, idempotency: null };
const OUTCOME_PREFIX = 'DirectoryActionOutcomeID_';

const page = { $ref: getSchemaPath(DirectoryPageRecord) };
const outcomes = { type: 'array', items: { $ref: getSchemaPath(ActionOutcomeRecord) } };
const trial = { dry_run: { $ref: getSchemaPath(DryRunRecord) } };
const enveloped = (data: object, beside: object = {}) => ({
  type: 'object',
  properties: { ok: { type: 'object', properties: { data, ...beside }, required: ['data'] } },
  required: ['ok'],
});

@ApiTags('directory')
@ApiExtraModels(DirectoryPageRecord, ActionOutcomeRecord)
@Controller('v1/drive/:organization_id/directory')
@UseGuards(DriveGuard)
export class DirectoryController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  /** Older clients read the fields at the top, newer ones below `ok.data`. */
  @Post('list')
  @AsOf()
  @ApiResponse({
    status: 200,
    description: 'The same fields twice: at the top, and under `ok.data`',
    schema: { allOf: [page, enveloped(page)] } as object,
  })
  @Operation({
    summary: 'List a folder, or what was shared with the caller on a disk',
    description:
      'By name, folders first, then files, in either direction. Needs VIEW on the folder; children whose ' +
      'own permissions deny VIEW are left out. Pages hold at most page_size folders and files together.',
    errors: ['permission.denied', 'folder.not-found', 'disk.not-found'],
  })
  async list(@Call() call: DriveRequest, @Body() body: ListDirectoryBody): Promise<string> {
    const { folder_id, path, disk_id, ...rest } = body;
    const place = {
      ...(folder_id !== undefined && { folder_id }),
      ...(path !== undefined && { path }),
      ...(disk_id !== undefined && { disk_id }),
    };
    const asking = this.queries.execute(new ListDirectory(call, { ...rest, place }));
    const data = await dataOf(call.reply, asking);
    const text = data instanceof JsonText ? data.text : JSON.stringify(data);
    void call.reply.header('Content-Type', 'application/json; charset=utf-8');
    return `${text.slice(0, -1)},"ok":{"data":${text}}}`;
  }

  /** Runs actions in order, each its own transaction; an action that fails does not stop the rest. */
  @Post('action')
  @ApiCommandToo()
  @AsOf()
  @ApiQuery({
    name: 'envelope',
    required: false,
    schema: { type: 'string', enum: ['ok'] },
    description:
      '`ok`: the list of outcomes is `ok.data`, as everywhere else, and in a dry run `ok.dry_run` stands beside it',
  })
  @ApiResponse({
    status: 200,
    description:
      'One outcome for each action, in their order: a bare list, or with `?envelope=ok` the usual envelope',
    schema: { oneOf: [outcomes, enveloped(outcomes, trial)] } as object,
  })
  @Operation({
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

  @Get('asset/:file_id_with_extension')
  @AsOf()
  @Token('optional')
  @Redirect()
  @ApiOpen()
  @ApiResponse({
    status: 302,
    description: 'The content is at `Location`, for an hour if it lies in a bucket',
    headers: { Location: { schema: { type: 'string' } } },
  })
  @Operation({
    summary: 'Go to the content of a file',
    description:
      'Needs VIEW; files that PUBLIC may view need no token, and a token that does not count is ignored. ' +
      'Files in the trash and expired ones are not found. For the past everybody needs a token, and content ' +
      'in a bucket is not served: its address would be signed with a secret.',
    errors: [...TOKEN_ERRORS, 'permission.denied', 'file.not-found', 'file.content-not-served'],
  })
  async asset(
    @Call() call: DriveRequest,
    @Param('file_id_with_extension', new RulePipe(assetFileId)) file_id: string,
  ) {
    const place = await dataOf(call.reply, this.queries.execute(new GetAsset(call, { file_id })));
    void call.reply.header('Cache-Control', 'no-store, max-age=0');
    return { url: inHeader((place as { url: string }).url), statusCode: 302 };
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

/** A header holds ASCII only; what is such already goes out as the client wrote it. */
function inHeader(url: string): string {
  return /^[!-~]*$/.test(url) ? url : new URL(url).href;
}

/** Names outcomes. Under an idempotency key they are the same when answered again: made of where they happened. */
function outcomeIds(call: DriveRequest, revision: number): (at: number) => string {
  const { dry_run, idempotency } = call.past ? NO_COMMAND : call.command;
  if (dry_run || !idempotency) return () => generating(dry_run, () => fresh.id(OUTCOME_PREFIX));
  const place = [call.drive_id, revision, idempotency.body].join(' ');
  return (at) => `${OUTCOME_PREFIX}${uuid5(`${place} ${at}`)}`;
}

function presentOutcome(
  id: string,
  asked: ActionBody,
  outcome: ActionOutcome,
): ActionOutcomeRecord {
  const { action, payload = {}, target } = asked;
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
