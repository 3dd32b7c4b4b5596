import type { paths } from './generated/api.js';

/**
 * How an operation is sent:
 * - `read` has no effect and can be asked of any past point,
 * - `query` has no effect and is about now, or takes points in its body,
 * - `command` changes the organization; an Idempotency-Key makes it safe to repeat,
 * - `once` has an effect and takes no Idempotency-Key: it is repeated only if it was refused.
 */
export type Kind = 'read' | 'query' | 'command' | 'once';

/** An operation of the API. */
export interface Operation<
  Method extends 'get' | 'post' = 'get' | 'post',
  Path extends string = string,
  K extends Kind = Kind,
> {
  readonly method: Method;
  readonly path: Path;
  readonly kind: K;
  /** Takes parameters in the query. */
  readonly has_query?: true;
}

/** Operations by name; the names are the parts of the paths. */
export interface Operations {
  readonly [name: string]: Operation | Operations;
}

type HasQuery = Pick<Operation, 'has_query'>;

/** Paths of the document that start with a prefix and have a method, without the prefix. */
type PathsWith<Method extends 'get' | 'post', Prefix extends string> = {
  [Path in keyof paths]: Path extends `${Prefix}/${infer Rest}`
    ? paths[Path] extends Record<Method, object>
      ? Rest
      : never
    : never;
}[keyof paths];

function operationsIn<Prefix extends string>(prefix: Prefix) {
  const of =
    <Method extends 'get' | 'post', K extends Kind>(method: Method, kind: K, more?: HasQuery) =>
    <Path extends PathsWith<Method, Prefix>>(
      path: Path,
    ): Operation<Method, `${Prefix}/${Path}`, K> => ({
      method,
      path: `${prefix}/${path}`,
      kind,
      ...more,
    });
  return {
    get: of('get', 'read'),
    getNow: of('get', 'query'),
    getBy: of('get', 'query', { has_query: true }),
    read: of('post', 'read'),
    query: of('post', 'query'),
    command: of('post', 'command'),
    once: of('post', 'once'),
  };
}

const drive = operationsIn('/v1/drive/{organization_id}');
const factory = operationsIn('/v1/factory');
const service = operationsIn('');

/** Operations of one organization. Not here: the live feed, uploads, downloads and the signalling socket. */
export const DRIVE_OPERATIONS = {
  organization: {
    about: drive.get('organization/about'),
    whoami: drive.get('organization/whoami'),
    search: drive.read('organization/search'),
    external_id: drive.read('organization/external_id'),
    snapshot: drive.getNow('organization/snapshot'),
    replay: drive.query('organization/replay'),
    history: drive.query('organization/history'),
    timeline: drive.query('organization/timeline'),
    compare: drive.query('organization/compare'),
    explain: drive.query('organization/explain'),
    who: drive.query('organization/who'),
    reach: drive.query('organization/reach'),
    check_many: drive.query('organization/check_many'),
    access_timeline: drive.query('organization/access_timeline'),
    access_diff: drive.query('organization/access_diff'),
    digest: drive.getNow('organization/digest'),
    proof: drive.getBy('organization/proof'),
    consistency: drive.getBy('organization/consistency'),
    record_proof: drive.query('organization/record_proof'),
    verify: drive.query('organization/verify'),
    reindex: drive.command('organization/reindex'),
    reindex_job: drive.getNow('organization/reindex/{job_id}'),
    transfer_ownership: drive.command('organization/transfer_ownership'),
    update_allowed_domains: drive.command('organization/update_allowed_domains'),
    superswap_user: drive.command('organization/superswap_user'),
    redeem: drive.command('organization/redeem'),
    inbox: drive.command('organization/inbox'),
    shortlink: drive.command('organization/shortlink'),
  },
  bookmarks: {
    list: drive.read('organization/bookmarks/list'),
    create: drive.command('organization/bookmarks'),
    delete: drive.command('organization/bookmarks/delete'),
  },
  contacts: {
    get: drive.get('contacts/get/{contact_id}'),
    list: drive.read('contacts/list'),
    create: drive.command('contacts/create'),
    update: drive.command('contacts/update'),
    delete: drive.command('contacts/delete'),
    erase: drive.command('contacts/erase'),
    redeem: drive.command('contacts/redeem'),
    generate_auto_login_link: drive.query('contacts/helpers/generate-auto-login-link'),
    generate_crypto_identity: drive.query('contacts/helpers/generate-crypto-identity'),
  },
  groups: {
    get: drive.get('groups/get/{group_id}'),
    list: drive.read('groups/list'),
    create: drive.command('groups/create'),
    update: drive.command('groups/update'),
    delete: drive.command('groups/delete'),
    validate: drive.read('groups/validate'),
    invites: {
      get: drive.get('groups/invites/get/{invite_id}'),
      list: drive.read('groups/invites/list'),
      create: drive.command('groups/invites/create'),
      update: drive.command('groups/invites/update'),
      delete: drive.command('groups/invites/delete'),
      redeem: drive.command('groups/invites/redeem'),
    },
  },
  disks: {
    get: drive.get('disks/get/{disk_id}'),
    list: drive.read('disks/list'),
    create: drive.command('disks/create'),
    update: drive.command('disks/update'),
    delete: drive.command('disks/delete'),
  },
  directory: {
    list: drive.read('directory/list'),
    versions: drive.read('directory/versions'),
    usage: drive.get('directory/usage'),
    action: drive.command('directory/action'),
  },
  permissions: {
    directory: {
      get: drive.get('permissions/directory/get/{directory_permission_id}'),
      list: drive.read('permissions/directory/list'),
      check: drive.read('permissions/directory/check'),
      create: drive.command('permissions/directory/create'),
      update: drive.command('permissions/directory/update'),
      delete: drive.command('permissions/directory/delete'),
      redeem: drive.command('permissions/directory/redeem'),
    },
    system: {
      get: drive.get('permissions/system/get/{system_permission_id}'),
      list: drive.read('permissions/system/list'),
      check: drive.read('permissions/system/check'),
      create: drive.command('permissions/system/create'),
      update: drive.command('permissions/system/update'),
      delete: drive.command('permissions/system/delete'),
      redeem: drive.command('permissions/system/redeem'),
    },
  },
  api_keys: {
    get: drive.get('api_keys/get/{api_key_id}'),
    list: drive.read('api_keys/list/{user_id}'),
    create: drive.command('api_keys/create'),
    update: drive.command('api_keys/update'),
    delete: drive.command('api_keys/delete'),
  },
  labels: {
    get: drive.get('labels/get/{label_id_or_value}'),
    list: drive.read('labels/list'),
    create: drive.command('labels/create'),
    update: drive.command('labels/update'),
    delete: drive.command('labels/delete'),
    pin: drive.command('labels/pin'),
  },
  webhooks: {
    get: drive.get('webhooks/get/{webhook_id}'),
    list: drive.read('webhooks/list'),
    create: drive.command('webhooks/create'),
    update: drive.command('webhooks/update'),
    delete: drive.command('webhooks/delete'),
    deliveries: drive.query('webhooks/deliveries'),
    replay: drive.command('webhooks/replay'),
    test: drive.once('webhooks/test'),
  },
  drives: {
    get: drive.get('drives/get/{drive_id}'),
    list: drive.read('drives/list'),
    create: drive.command('drives/create'),
    update: drive.command('drives/update'),
    delete: drive.command('drives/delete'),
  },
  purchases: {
    get: drive.get('purchases/get/{purchase_id}'),
    list: drive.read('purchases/list'),
    create: drive.command('purchases/create'),
    update: drive.command('purchases/update'),
    delete: drive.command('purchases/delete'),
  },
  transaction: drive.command('transaction'),
} as const satisfies Operations;

/** Operations outside organizations. */
export const FACTORY_OPERATIONS = {
  quickstart: factory.once('quickstart'),
  snapshot: factory.getNow('snapshot'),
  migrate: factory.once('helpers/migrate'),
  generate_crypto_identity: factory.query('helpers/generate-crypto-identity'),
  giftcards: {
    get: factory.getNow('giftcards/spawnorg/get/{giftcard_id}'),
    list: factory.query('giftcards/spawnorg/list'),
    create: factory.once('giftcards/spawnorg/create'),
    update: factory.once('giftcards/spawnorg/update'),
    delete: factory.once('giftcards/spawnorg/delete'),
    redeem: factory.once('giftcards/spawnorg/redeem'),
  },
  health: service.getNow('health'),
  ready: service.getNow('ready'),
} as const satisfies Operations;

/** Paths that serve an operation under a second name. */
export const ALIAS_PATHS = [
  '/v1/drive/{organization_id}/organization/superswap',
  '/v1/factory/giftcards/spawnorg/upsert',
] as const;

/** Paths with methods of their own, or of no use to this client. */
export const OTHER_PATHS = [
  '/',
  '/v1/drive/{organization_id}/directory/asset/{file_id_with_extension}',
  '/v1/drive/{organization_id}/directory/content',
  '/v1/drive/{organization_id}/directory/content/{file_id}',
  '/v1/drive/{organization_id}/directory/uploads',
  '/v1/drive/{organization_id}/directory/uploads/{upload_id}',
  '/v1/drive/{organization_id}/organization/events',
  '/v1/drive/{organization_id}/organization/webrtc',
] as const;

export function isOperation(entry: Operation | Operations): entry is Operation {
  return typeof entry.path === 'string';
}
