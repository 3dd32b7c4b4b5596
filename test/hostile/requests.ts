import type { Random } from '../../apps/demo/random.js';

/** One request of a caller: what to send, and where. */
export interface HostileRequest {
  readonly method: string;
  /** Below the organization's own path. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What a caller may have heard of: ids of everything, and words to filter and search by. */
export interface Hearsay {
  readonly ids: readonly string[];
  readonly words: readonly string[];
  readonly paths: readonly string[];
  readonly revisions: number;
}

const TABLES = [
  ...['DRIVES', 'DISKS', 'CONTACTS', 'GROUPS', 'API_KEYS', 'PERMISSIONS', 'WEBHOOKS', 'LABELS'],
  ...['INBOX', 'PURCHASES', 'AUDIT'],
];
const DRIVE = '/v1/drive/{organization_id}';
/** Operations that answer with an endless stream or another protocol. */
const STREAMS = [`${DRIVE}/organization/events`, `${DRIVE}/organization/webrtc`];
const MANY: readonly string[] = ['/directory/action'];
const LEAST_MS = 1;
const FAR_MS = 4_102_444_800_000;

/**
 * Makes requests for every operation of the OpenAPI document, aimed at records that exist: ids of the
 * prefix that a field takes, every member of an enumeration, times of past and future. `rounds`
 * variations of each operation, and more of those that hold many actions.
 */
export class RequestGenerator {
  constructor(
    private readonly document: OpenApi,
    private readonly hearsay: Hearsay,
    private readonly random: Random,
  ) {}

  *all(rounds: number): Generator<HostileRequest> {
    for (const [template, operations] of Object.entries(this.document.paths)) {
      if (!template.startsWith(`${DRIVE}/`) || STREAMS.includes(template)) continue;
      const path = template.slice(DRIVE.length);
      const times = MANY.includes(path) ? rounds * 20 : rounds;
      for (const [method, operation] of Object.entries(operations))
        for (let round = 0; round < times; round++)
          yield this.one(method.toUpperCase(), path, operation);
    }
  }

  private one(method: string, template: string, operation: Operation): HostileRequest {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body = schema && this.value(schema, '', 0);
    return { method, path: this.path(template) + this.past(), body, headers: this.headers() };
  }

  private headers(): Record<string, string> {
    return {
      ...(this.random.chance(0.2) && { 'Dry-Run': 'true' }),
      ...(this.random.chance(0.2) && { Prefer: 'handling=strict' }),
      ...(this.random.chance(0.2) && { Accept: 'application/problem+json' }),
    };
  }

  private path(template: string): string {
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(
        name === 'file_id_with_extension'
          ? `${this.id(['FileID_'])}.txt`
          : name === 'label_id_or_value' && this.random.chance(0.5)
            ? this.word()
            : this.id([PREFIX_OF[name] ?? '']),
      ),
    );
  }

  /** Now and then a question about the past, which is the auditors' to ask. */
  private past(): string {
    if (!this.random.chance(0.15)) return '';
    const as_user = this.random.chance(0.5) ? `&as_user=${this.id(['UserID_'])}` : '';
    return `?as_of=r${this.random.below(this.hearsay.revisions)}${as_user}`;
  }

  private value(given: Schema, name: string, depth: number): unknown {
    if (given.$ref === '#/components/schemas/ActionBody') return this.action();
    if (given.$ref === '#/components/schemas/TransactionCommandBody') return this.step();
    const schema = this.resolved(given);
    if (schema.enum) return this.random.pick(schema.enum);
    const choice = schema.anyOf ?? schema.oneOf;
    if (choice) {
      const some = choice.filter(({ type }) => type !== 'null');
      return this.value(this.random.pick(some)!, name, depth);
    }
    const types = schema.properties ? ['object'] : [schema.type ?? 'string'].flat();
    const type = types.find((one) => one !== 'null')!;
    if (type === 'object') return this.object(schema, depth);
    if (type === 'array') {
      const length = 1 + this.random.below(3);
      return Array.from({ length }, () => this.value(schema.items ?? {}, name, depth + 1));
    }
    if (type === 'boolean') return this.random.chance(0.5);
    if (type === 'integer' || type === 'number') return this.number(name);
    return this.text(schema, name);
  }

  private object(schema: Schema, depth: number): unknown {
    if (depth > 6) return {};
    const parts = [schema, ...(schema.allOf ?? []).map((one) => this.resolved(one))];
    const required = parts.flatMap((part) => part.required ?? []);
    const entries = parts.flatMap((part) => Object.entries(part.properties ?? {}));
    return Object.fromEntries(
      entries
        .filter(([name]) => required.includes(name) || this.random.chance(0.35))
        .map(([name, one]) => [name, this.value(one, name, depth + 1)]),
    );
  }

  private action(): unknown {
    const action = this.random.pick(Object.keys(PAYLOADS))!;
    const schema = this.document.components.schemas[`${PAYLOADS[action]}Payload`]!;
    return { action, payload: this.value(schema, '', 0) };
  }

  /** A step of a transaction: any other operation, also those that may not stand in one. */
  private step(): unknown {
    const paths = Object.entries(this.document.paths).filter(
      ([path, { post }]) => path.startsWith(`${DRIVE}/`) && post && !path.endsWith('/transaction'),
    );
    const [path, { post }] = this.random.pick(paths)!;
    const { body } = this.one('POST', path.slice(DRIVE.length), post!);
    return { path: path.slice(DRIVE.length + 1), body };
  }

  private number(name: string): number {
    if (name === 'page_size') return 1 + this.random.below(100);
    if (/revision|^from$|^to$|size/.test(name)) return this.random.below(this.hearsay.revisions);
    return this.random.pick([-1, 0, LEAST_MS, FAR_MS])!;
  }

  private text({ pattern }: Schema, name: string): string {
    const prefixes = pattern?.match(/[A-Z]\w*ID_/g);
    if (prefixes) return this.random.chance(0.1) ? 'PUBLIC' : this.id(prefixes);
    if (pattern?.includes('-?\\d+')) return String(this.number(name));
    if (
      /^(?:resource_id|record_id|value|Record|alt_index|related_resources|resource_ids)$/.test(name)
    )
      return this.random.chance(0.2) ? `TABLE_${this.random.pick(TABLES)}` : this.id(['']);
    if (/path/.test(name)) return this.random.pick(this.hearsay.paths)!;
    if (/url|endpoint/.test(name)) return 'https://receiver.example/hook';
    if (/^(?:filters|query|reason|allowed_by|correlation_id|command)$/.test(name))
      return this.random.chance(0.3) ? '' : this.word();
    if (/^(?:labels|external_ids)$/.test(name)) return this.word();
    if (name === 'email') return 'someone@mail.example';
    if (name === 'redeem_code') return 'RedeemTokenID_00000000-0000-4000-8000-000000000000';
    if (name.startsWith('cursor')) return '';
    return `given ${this.random.below(1000)}`;
  }

  /** A whole word of a hidden text, or a part of one. */
  private word(): string {
    const word = this.random.pick(this.hearsay.words)!;
    return this.random.chance(0.5) ? word : word.slice(-12);
  }

  private id(prefixes: readonly string[]): string {
    const fitting = this.hearsay.ids.filter((id) =>
      prefixes.some((prefix) => id.startsWith(prefix)),
    );
    return this.random.pick(fitting) ?? `${prefixes[0]}unknown-one`;
  }

  private resolved(schema: Schema): Schema {
    if (!schema.$ref) return schema;
    return this.resolved(this.document.components.schemas[schema.$ref.split('/').at(-1)!]!);
  }
}

/** Schema of each action's payload. */
const PAYLOADS: Readonly<Record<string, string>> = {
  GET_FILE: 'GetFile',
  GET_FOLDER: 'GetFolder',
  CREATE_FILE: 'CreateFile',
  CREATE_FOLDER: 'CreateFolder',
  UPDATE_FILE: 'UpdateFile',
  UPDATE_FOLDER: 'UpdateFolder',
  DELETE_FILE: 'DeleteFile',
  DELETE_FOLDER: 'DeleteFolder',
  COPY_FILE: 'TransferFile',
  COPY_FOLDER: 'TransferFolder',
  MOVE_FILE: 'TransferFile',
  MOVE_FOLDER: 'TransferFolder',
  RESTORE_TRASH: 'RestoreTrash',
};

const PREFIX_OF: Readonly<Record<string, string>> = {
  group_id: 'GroupID_',
  invite_id: 'GroupInviteID_',
  disk_id: 'DiskID_',
  contact_id: 'UserID_',
  user_id: 'UserID_',
  drive_id: 'DriveID_',
  webhook_id: 'WebhookID_',
  purchase_id: 'PurchaseID_',
  api_key_id: 'ApiKeyID_',
  label_id_or_value: 'LabelID_',
  file_id: 'FileID_',
  directory_permission_id: 'DirectoryPermissionID_',
  system_permission_id: 'SystemPermissionID_',
};
