import type { ActionName, PayloadOf, ResultOf } from './actions.js';
import type { Answer } from './call.js';
import { DriveError, type ErrorDetail, type ErrorType } from './errors.js';
import type { components } from './generated/api.js';
import { DRIVE_OPERATIONS } from './generated/api.js';
import { type AnyOptions, pathOf, request } from './requests.js';
import { ENVELOPE, type Scope, textsOf } from './surface.js';
import type { Transport } from './transport.js';
import type { CommandOptions, ReadOptions } from './types.js';
import {
  type Content,
  putByName,
  upload,
  type UploadOptions,
  type WholeOptions,
} from './uploads.js';

type Schemas = components['schemas'];

export interface DownloadOptions {
  /** Default: the current version, of a past client: the one then. */
  readonly version_id?: string;
  /** Bytes asked for, as in the header Range: `bytes=0-1023`. */
  readonly range?: string;
  readonly signal?: AbortSignal;
}

/** Reads of files and folders beyond the operations. */
export interface DirectoryReads {
  /** @throws DriveError `file.not-found`, `permission.denied` … */
  get_file(id: string, options?: ReadOptions): Promise<Schemas['FileRead']>;
  /** @throws DriveError `folder.not-found`, `permission.denied` … */
  get_folder(id: string, options?: ReadOptions): Promise<Schemas['FolderRead']>;
  /** The content of a file; the response is a success, and its body is not read yet. */
  download(file_id: string, options?: DownloadOptions): Promise<Response>;
}

/** Work with files and folders beyond the operations. */
export interface DirectoryMethods extends DirectoryReads {
  /** Runs one action. @throws DriveError of the action */
  run<Name extends ActionName>(
    action: Name,
    payload: PayloadOf<Name>,
    options?: CommandOptions,
  ): Promise<ResultOf<Name>>;
  /** A link that downloads the content without a token, for one hour at most; null if there is no content. */
  link(file_id: string, options?: ReadOptions): Promise<Schemas['Download'] | null>;
  /**
   * Creates a file with its content, or stores the content as a new version of the file of that name, in one request.
   * @throws DriveError `folder.not-found`, `permission.denied`, `content.too-large` …
   */
  put(
    folder_id: string,
    name: string,
    content: Blob | Uint8Array,
    options?: WholeOptions,
  ): Promise<Schemas['DirectoryFile']>;
  /**
   * Stores the content of a file. Up to `part_bytes` go in one PUT; more, and streams, go in parts (tus 1.0), which a
   * lost connection only delays. Works alike in browsers, which cannot stream a request.
   */
  upload(
    file_id: string,
    content: Content,
    options?: UploadOptions,
  ): Promise<Schemas['DirectoryFile']>;
}

export function directoryMethods(transport: Transport, scope: Scope): DirectoryMethods {
  const path = { organization_id: scope.organization_id! };

  const act = async (
    action: ActionName,
    payload: object,
    kind: 'command' | 'query',
    options: object,
  ) => {
    const operation = { ...DRIVE_OPERATIONS.directory.action, kind };
    const query = { ...scope.query, ...ENVELOPE };
    const body = { actions: [{ action, payload }] };
    const answer = await request(
      transport,
      operation,
      { path, query, body },
      options as AnyOptions,
    );
    return resultOf(answer as Answer<readonly Schemas['ActionOutcome'][]>) as never;
  };

  const methods: DirectoryMethods = {
    run: (action, payload, options = {}) => act(action, payload, 'command', options),
    get_file: (id, options = {}) => act('GET_FILE', { id }, 'query', options),
    get_folder: (id, options = {}) => act('GET_FOLDER', { id }, 'query', options),
    link: async (id, options = {}) => {
      const payload = { id, request_download_url: true };
      const { download }: Schemas['FileRead'] = await act('GET_FILE', payload, 'query', options);
      return download ?? null;
    },
    download: (file_id, { version_id, range, signal } = {}) => {
      // The service takes the file from the id; the extension only has to be there.
      const file_id_with_extension = `${file_id}.bin`;
      const template =
        '/v1/drive/{organization_id}/directory/asset/{file_id_with_extension}' as const;
      const query = { ...scope.query, ...textsOf({ version_id }) };
      return transport.send(
        {
          method: 'GET',
          path: pathOf(template, { path: { ...path, file_id_with_extension }, query }),
          headers: { ...(range !== undefined && { range }) },
          ...(signal && { signal }),
          is_repeatable: true,
        },
        (response) => response,
      );
    },
    put: async (folder_id, name, content, options = {}) => {
      const named = { ...path, folder_id, name };
      const { ok } = JSON.parse(await putByName(transport, named, content, options)) as {
        ok: { data: Schemas['ContentStored'] };
      };
      return ok.data.file;
    },
    upload: async (file_id, content, options = {}) => {
      await upload(transport, path.organization_id, file_id, content, options);
      const read = options.signal ? { signal: options.signal } : {};
      return (await methods.get_file(file_id, read)).file;
    },
  };
  return methods;
}

/** The result of the only action of a batch. @throws DriveError */
function resultOf({ data, request_id }: Answer<readonly Schemas['ActionOutcome'][]>): unknown {
  const { result, error } = data[0]!.response;
  if (!error) return result;
  throw new DriveError({
    ...error,
    type: error.type as ErrorType,
    details: error.details as unknown as ErrorDetail[],
    request_id: request_id ?? '',
  });
}
