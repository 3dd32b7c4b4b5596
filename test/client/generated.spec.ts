import { openApiDocument } from '../../apps/api/openapi-document.js';
import { DRIVE_OPERATIONS, FACTORY_OPERATIONS } from '../../libs/client/src/generated/api.js';
import { isOperation, type Operation, type Operations } from '../../libs/client/src/operations.js';
import { clientOperations } from '../../tools/client-operations.js';
import { clientSource, COMMAND } from '../../tools/client-source.js';
import { read } from '../docs/markdown.js';

/** Paths that serve an operation under a second name. */
const ALIASES = [
  '/v1/drive/{organization_id}/organization/superswap',
  '/v1/factory/giftcards/spawnorg/upsert',
];

/** Paths that the client serves by functions of its own, or not at all. */
const OTHER_PATHS = [
  '/',
  '/v1/drive/{organization_id}/directory/asset/{file_id_with_extension}',
  '/v1/drive/{organization_id}/directory/content',
  '/v1/drive/{organization_id}/directory/content/{file_id}',
  '/v1/drive/{organization_id}/directory/content/{folder_id}/{name}',
  '/v1/drive/{organization_id}/directory/uploads',
  '/v1/drive/{organization_id}/directory/uploads/{upload_id}',
  '/v1/drive/{organization_id}/organization/events',
  '/v1/drive/{organization_id}/organization/webrtc',
];

const flat = (table: Operations): Operation[] =>
  Object.values(table).flatMap((entry) => (isOperation(entry) ? [entry] : flat(entry)));

const OPERATIONS = [...flat(DRIVE_OPERATIONS), ...flat(FACTORY_OPERATIONS)];

describe('the client package', () => {
  let document: any;

  beforeAll(async () => {
    document = JSON.parse(JSON.stringify(await openApiDocument()));
  });

  it('is generated from the document', async () => {
    const is_current = read('libs/client/src/generated/api.ts') === (await clientSource(document));
    // The difference is too long to be shown.
    expect(is_current ? 'current' : `outdated: run "${COMMAND}"`).toBe('current');
  });

  it('has every path of the document', () => {
    const known = [...OPERATIONS.map(({ path }) => path), ...ALIASES, ...OTHER_PATHS];
    expect(known.toSorted()).toEqual(Object.keys(document.paths).toSorted());
  });

  it.each([
    ['read', DRIVE_OPERATIONS.groups.invites.list],
    ['read', DRIVE_OPERATIONS.api_keys.list],
    ['query', DRIVE_OPERATIONS.organization.compare],
    ['query', DRIVE_OPERATIONS.organization.reindex_job],
    ['query', FACTORY_OPERATIONS.giftcards.list],
    ['command', DRIVE_OPERATIONS.organization.shortlink],
    ['command', DRIVE_OPERATIONS.bookmarks.create],
    ['once', DRIVE_OPERATIONS.webhooks.test],
    ['once', FACTORY_OPERATIONS.migrate],
  ])('sends a %s: $path', (kind, operation) => {
    expect(operation.kind).toBe(kind);
  });

  it('sends a query only where the document has one', () => {
    expect(OPERATIONS.filter(({ has_query }) => has_query).map(({ path }) => path)).toEqual([
      DRIVE_OPERATIONS.organization.digest.path,
      DRIVE_OPERATIONS.organization.proof.path,
      DRIVE_OPERATIONS.organization.consistency.path,
    ]);
  });

  it('takes options first in a POST without a body', () => {
    expect(OPERATIONS.filter(({ without_body }) => without_body).map(({ path }) => path)).toEqual([
      DRIVE_OPERATIONS.api_keys.list.path,
      FACTORY_OPERATIONS.migrate.path,
    ]);
  });

  it('refuses two operations of one name', () => {
    const list = document.paths['/v1/drive/{organization_id}/groups/list'];
    const paths = { '/v1/drive/{organization_id}/groups/helpers/list': list };
    expect(() => clientOperations({ ...document, paths: { ...document.paths, ...paths } })).toThrow(
      'Two operations are named groups.list',
    );
  });
});
