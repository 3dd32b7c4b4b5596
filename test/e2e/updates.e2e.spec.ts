import { type Answer, Client, organizationOf } from '../support/client.js';
import { act, makeDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const FACTORY_KEY = 'key-of-an-administrator-0123456789-0123456789';

/**
 * What emptying a field does. `text`: null and `""` both show `""`. `nullable`: both show null.
 * `given`: each shows as it was given. `kept`: null leaves the field as it is, `""` is 400.
 * `demanded`: null and `""` are 400. `unset`: null shows null, `""` is no value of its type.
 * `value`: null leaves the field as it is, `""` is no value of its type.
 */
type Kind = 'text' | 'nullable' | 'given' | 'kept' | 'demanded' | 'unset' | 'value';

/** A field, and two values that it can have. */
type Field = readonly [name: string, kind: Kind, before: unknown, after: unknown];

interface Update {
  readonly family: string;
  /** Sent beside `fields` when the record is made. */
  readonly made_with?: object;
  readonly fields: readonly Field[];
  /** Where the record stands in the answer. */
  readonly record?: 'permission';
}

const text = (...names: string[]): Field[] => names.map((name) => [name, 'text', 'one', 'two']);
const nullable = (...names: string[]): Field[] =>
  names.map((name) => [name, 'nullable', 'one', 'two']);
const urls = (kind: Kind, ...names: string[]): Field[] =>
  names.map((name) => [name, kind, 'https://one.example/', 'https://two.example/']);
const NAME: Field = ['name', 'kept', 'One', 'Two'];
const EXTERNAL = nullable('external_id', 'external_payload');
const LATER = 4_102_444_800_000;

const UPDATES: readonly Update[] = [
  {
    family: 'contacts',
    made_with: { is_placeholder: true },
    fields: [
      NAME,
      ...text('public_note', 'private_note'),
      ...urls('text', 'avatar', 'notifications_url'),
      ['email', 'text', 'one@a.example', 'two@a.example'],
      ['evm_public_address', 'text', `0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`],
      ...EXTERNAL,
    ],
  },
  {
    family: 'groups',
    fields: [NAME, ...text('public_note', 'private_note'), ...urls('text', 'avatar'), ...EXTERNAL],
  },
  {
    family: 'groups/invites',
    fields: [
      ['role', 'kept', 'MEMBER', 'ADMIN'],
      ['active_from', 'value', 1, 2],
      ['expires_at', 'value', LATER, LATER + 1],
      ...text('note'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'disks',
    made_with: { disk_type: 'LOCAL_SSD' },
    fields: [
      ['name', 'demanded', 'One', 'Two'],
      ['public_note', 'given', 'one', 'two'],
      ['private_note', 'given', 'one', 'two'],
      ['auth_json', 'given', 'one', 'two'],
      ...urls('nullable', 'endpoint'),
      ['autoexpire_ms', 'unset', 1000, 2000],
      ...EXTERNAL,
    ],
  },
  {
    family: 'labels',
    fields: [
      ['value', 'kept', 'one', 'two'],
      ['color', 'kept', '#111111', '#222222'],
      ...nullable('public_note', 'private_note'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'drives',
    fields: [
      NAME,
      ['icp_principal', 'kept', 'aaaaa-aa', '2vxsx-fae'],
      ...text('public_note', 'private_note'),
      ['email', 'nullable', 'one@a.example', 'two@a.example'],
      ...EXTERNAL,
    ],
  },
  {
    family: 'api_keys',
    fields: [
      NAME,
      ['begins_at', 'value', 1, 2],
      ['expires_at', 'value', LATER, LATER + 1],
      ...nullable('private_note'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'webhooks',
    made_with: { alt_index: 'INBOX_NEW_MAIL', event: 'org.inbox.new_mail' },
    fields: [
      ['url', 'kept', 'https://one.example/', 'https://two.example/'],
      ...text('description', 'note', 'signature'),
      ['filters', 'text', '{"a":1}', '{"a":2}'],
      ['active', 'value', true, false],
      ...EXTERNAL,
    ],
  },
  {
    family: 'purchases',
    fields: [
      ['title', 'kept', 'One', 'Two'],
      ...text('subtitle', 'description', 'vendor_name', 'pricing', 'vendor_notes', 'notes'),
      ...urls('text', 'about_url', 'billing_url', 'support_url', 'delivery_url'),
      ...urls('text', 'verification_url', 'auth_installation_url'),
      ...nullable('template_id', 'tracer'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'permissions/directory',
    record: 'permission',
    fields: [
      ['permission_types', 'demanded', ['VIEW'], ['VIEW', 'EDIT']],
      ['begin_date_ms', 'value', 1, 2],
      ['expiry_date_ms', 'value', LATER, LATER + 1],
      ['inheritable', 'value', false, true],
      ...text('note'),
      ['metadata', 'unset', { a: 1 }, { a: 2 }],
      ...EXTERNAL,
    ],
  },
  {
    family: 'permissions/system',
    record: 'permission',
    made_with: { resource_id: 'TABLE_DISKS' },
    fields: [
      ['permission_types', 'value', ['VIEW'], ['VIEW', 'EDIT']],
      ['begin_date_ms', 'value', 1, 2],
      ['expiry_date_ms', 'value', LATER, LATER + 1],
      ...text('note'),
      ['metadata', 'unset', { a: 1 }, { a: 2 }],
      ...EXTERNAL,
    ],
  },
  {
    family: 'directory/file',
    made_with: { file_size: 1 },
    fields: [
      ['name', 'kept', 'one.txt', 'two.txt'],
      ['expires_at', 'value', LATER, LATER + 1],
      ...urls('kept', 'raw_url'),
      ['shortcut_to', 'unset', 'FileID_one', 'FileID_two'],
      ...nullable('notes'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'directory/folder',
    fields: [
      ['name', 'kept', 'one', 'two'],
      ['expires_at', 'value', LATER, LATER + 1],
      ['shortcut_to', 'unset', 'FolderID_one', 'FolderID_two'],
      ...nullable('notes'),
      ...EXTERNAL,
    ],
  },
  {
    family: 'factory/giftcards/spawnorg',
    fields: [
      ['usd_revenue_cents', 'value', 1, 2],
      ['gas_cycles_included', 'value', 3_000_000_000_000, 4_000_000_000_000],
      ...text('note'),
      ...nullable('external_id'),
    ],
  },
];

/** What a field shows after an update with null, if that is not 400. */
function afterNull(kind: Kind, before: unknown): unknown {
  if (kind === 'text') return '';
  return kind === 'kept' || kind === 'value' ? before : null;
}

describe('an update', () => {
  let service: TestService;
  let admin: Client;
  let factory: Client;
  let places: Record<string, object>;
  let nth = 0;

  beforeAll(async () => {
    service = await TestService.start({
      FACTORY_ADMIN_KEYS: FACTORY_KEY,
      FACTORY_KEYS: FACTORY_KEY,
    });
    const { data } = await service.client().post('/v1/factory/quickstart', { org_name: 'Updates' });
    const org = organizationOf(service.url, { members: [], ...data });
    admin = org.admin;
    factory = new Client(service.url, FACTORY_KEY);
    const disk = await makeDisk(org);
    const group = await admin.post('/groups/create', { name: 'Invited to' });
    places = {
      'groups/invites': { group_id: group.data.id },
      'permissions/directory': { resource_id: disk.root_folder },
      'directory/file': { parent_folder_uuid: disk.root_folder, disk_id: disk.id },
      'directory/folder': { parent_folder_uuid: disk.root_folder, disk_id: disk.id },
    };
  });
  afterAll(() => service.stop());

  async function call(
    family: string,
    operation: string,
    body: object,
  ): Promise<Pick<Answer, 'status' | 'data' | 'err'>> {
    if (family.startsWith('factory/')) return factory.post(`/v1/${family}/${operation}`, body);
    if (!family.startsWith('directory/')) return admin.post(`/${family}/${operation}`, body);
    const kind = family.replace('directory/', '');
    const action = `${operation}_${kind}`.toUpperCase();
    const { result, error: err } = await act(admin, action, body);
    return { status: err?.code ?? 200, err, data: result?.[kind] };
  }

  /** A record with all fields of the table set; what is unique differs from record to record. */
  async function make({ family, made_with, fields, record }: Update): Promise<any> {
    const given = Object.fromEntries(fields.map(([name, , before]) => [name, before]));
    nth += 1;
    const unique: Record<string, object> = {
      labels: { value: `one${nth}` },
      drives: { id: `DriveID_made${nth}` },
      'factory/giftcards/spawnorg': { external_id: `one${nth}` },
      'directory/file': { name: `one${nth}.txt` },
      'directory/folder': { name: `one${nth}` },
    };
    const body = { ...given, ...places[family], ...made_with, ...unique[family] };
    const { data, err } = await call(family, 'create', body);
    if (err) throw new Error(`${family}: ${err.message}`);
    return record ? data[record] : data;
  }

  const cases = UPDATES.flatMap((update) =>
    update.fields.map((field) => [update.family, field[0], update, field] as const),
  );

  it('is checked for every operation', async () => {
    const { body } = await service.client().get('/openapi.json');
    const operations = Object.keys(body.paths).filter((path) => path.endsWith('/update'));
    const families = operations.map((path) =>
      path.replace('/v1/drive/{organization_id}/', '').replace('/v1/', '').replace('/update', ''),
    );
    const actions = ['directory/file', 'directory/folder'];
    expect([...families, ...actions].toSorted()).toEqual(
      UPDATES.map(({ family }) => family).toSorted(),
    );
  });

  it.each(UPDATES.map((update) => [update.family, update] as const))(
    'of %s with nothing but the id is 400',
    async (family, update) => {
      const { id } = await make(update);
      const { status, err } = await call(family, 'update', { id, unheard_of: 1 });
      expect([status, err.type]).toEqual([400, 'request.nothing-to-update']);
    },
  );

  it.each(cases)('of %s with %s alone changes just that', async (family, name, update, field) => {
    const made = await make(update);
    const after = family === 'labels' && name === 'value' ? 'changed' : field[3];
    const { data, err } = await call(family, 'update', { id: made.id, [name]: after });
    expect(err).toBeUndefined();
    const changed = update.record ? data[update.record] : data;
    for (const [other] of update.fields)
      expect([other, changed[other]]).toEqual([other, other === name ? after : made[other]]);
  });

  it.each(cases)('of %s with %s null', async (family, name, update, [, kind]) => {
    const made = await make(update);
    const companion = update.fields.find(([other]) => other.startsWith('external_id'))!;
    const more = name === 'external_id' ? {} : { [companion[0]]: `beside${nth}` };
    const body = { id: made.id, ...more, [name]: null };
    const { status, data } = await call(family, 'update', body);
    expect(status).toBe(kind === 'demanded' ? 400 : 200);
    const changed = update.record ? data?.[update.record] : data;
    const expected = kind === 'demanded' ? undefined : afterNull(kind, made[name]);
    expect(changed?.[name]).toEqual(expected);
  });

  it.each(cases)('of %s with %s empty', async (family, name, update, [, kind]) => {
    const { id } = await make(update);
    const { status, data } = await call(family, 'update', { id, [name]: '' });
    const is_text = kind === 'text' || kind === 'nullable' || kind === 'given';
    expect(status).toBe(is_text ? 200 : 400);
    const changed = update.record ? data?.[update.record] : data;
    const expected = kind === 'nullable' ? null : is_text ? '' : undefined;
    expect(changed?.[name]).toEqual(expected);
  });
});
