import { extensionOf, type Kind, storedName } from './names.js';
import type { Label, State } from './tree.js';

/** What a payload says, after the checks of its form (README sections 3 and 4, directory.md section 4). */

export interface Action {
  readonly action: string;
  readonly payload: Payload;
  readonly target?: { readonly resource_id: string };
}

export type Payload = Readonly<Record<string, any>>;

const RESOLUTIONS = ['KEEP_BOTH', 'REPLACE', 'KEEP_NEWER', 'KEEP_ORIGINAL'];
const STATUSES = ['QUEUED', 'PENDING', 'COMPLETED'];

/** README 3: "correct prefix, then 1–128 characters of `[A-Za-z0-9_-]`". */
export function isId(value: unknown, ...prefixes: string[]): value is string {
  if (typeof value !== 'string') return false;
  const prefix = prefixes.find((each) => value.startsWith(`${each}_`));
  return prefix !== undefined && /^[A-Za-z0-9_-]{1,128}$/.test(value.slice(prefix.length + 1));
}

export function idPrefix(kind: Kind): string {
  return kind === 'file' ? 'FileID' : 'FolderID';
}

/** directory.md 4: "Legacy `target: {resource_id}` supplies `payload.id` (or the parent for CREATE_*) when missing". */
export function payloadOf({ action, payload, target }: Action): Payload {
  if (!target) return payload;
  const field = action.startsWith('CREATE_') ? 'parent_folder_uuid' : 'id';
  return { [field]: target.resource_id, ...payload };
}

export function resolutionOf(payload: Payload): string {
  return payload.file_conflict_resolution ?? 'KEEP_BOTH';
}

/** README 4: "0 and null on create are stored as -1, other negatives → 400; a time already past is accepted". */
export function expiryOf(payload: Payload): number {
  return payload.expires_at || -1;
}

/** directory.md 4: "values of existing labels are pinned; unknown values are ignored". */
export function labelsOf(payload: Payload, state: State): Label[] {
  const values: string[] = payload.labels ?? [];
  return state.labels.filter((label) => values.includes(label.value));
}

/** directory.md 2, `extension`: of the name, else "the `extension` of the request without dot, else `""`". */
export function fileExtension(name: string, payload: Payload): string {
  return extensionOf(name) ?? (payload.extension ?? '').replace(/^\./, '');
}

/** Whether the fields that create and update share are well formed. */
export function areFieldsValid(payload: Payload, kind: Kind): boolean {
  const { expires_at, extension, raw_url, shortcut_to, labels } = payload;
  return (
    isNumberFrom(expires_at, -1) &&
    // directory.md 4: "An `extension` is 0–32 of `[A-Za-z0-9_-]`, else 400".
    isText(extension, /^\.?[A-Za-z0-9_-]{0,32}$/) &&
    // directory.md 2, `raw_url`: "absolute http/https without user part, ≤4096, else 400".
    isText(raw_url, /^https?:\/\/[^@]*$/) &&
    (shortcut_to === undefined || isId(shortcut_to, idPrefix(kind))) &&
    (labels === undefined || Array.isArray(labels)) &&
    // directory.md 2: notes, external_id, external_payload "≤8192 / 256 / 8192".
    isShort(payload.notes, 8192) &&
    isShort(payload.external_id, 256) &&
    isShort(payload.external_payload, 8192) &&
    (payload.upload_status === undefined || STATUSES.includes(payload.upload_status)) &&
    (payload.file_conflict_resolution === undefined ||
      RESOLUTIONS.includes(payload.file_conflict_resolution))
  );
}

/** Whether a CREATE_* is well formed: the "Payload" column of directory.md 4. */
export function isCreateValid(payload: Payload, kind: Kind): boolean {
  return (
    isId(payload.parent_folder_uuid, 'FolderID') &&
    isId(payload.disk_id, 'DiskID') &&
    storedName(payload.name) !== null &&
    (payload.id === undefined || isId(payload.id, idPrefix(kind))) &&
    // directory.md 2, `file_size`: "bytes, ≥0".
    (kind === 'folder' || (Number.isInteger(payload.file_size) && payload.file_size >= 0)) &&
    areFieldsValid(payload, kind)
  );
}

/** README 4: "fields the spec types "string or null" are `null` when empty". */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function isUpdateValid(payload: Payload, kind: Kind): boolean {
  return (
    isId(payload.id, idPrefix(kind)) &&
    (payload.name === undefined || storedName(payload.name) !== null) &&
    areFieldsValid(payload, kind)
  );
}

const UPDATED = ['name', 'labels', 'expires_at', 'notes', 'shortcut_to', 'external_id'];
const UPDATED_OF_FILE = ['upload_status', 'raw_url', 'request_presigned_url'];

/** Whether the payload has a field that UPDATE_* takes: directory.md 4. */
export function updatesSomething(payload: Payload, kind: Kind): boolean {
  const fields = [...UPDATED, 'external_payload', ...(kind === 'file' ? UPDATED_OF_FILE : [])];
  return fields.some((field) => payload[field] !== undefined);
}

function isNumberFrom(value: unknown, least: number): boolean {
  return value == null || (Number.isInteger(value) && Number(value) >= least);
}

function isText(value: unknown, form: RegExp): boolean {
  return value === undefined || (typeof value === 'string' && form.test(value));
}

function isShort(value: unknown, most: number): boolean {
  return value == null || (typeof value === 'string' && value.length <= most);
}
