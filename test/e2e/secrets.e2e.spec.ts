import { Writable } from 'node:stream';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { parseToken } from '../../libs/identity/token.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { Planted } from '../support/planted.js';
import { dataFolder, servers, type StoragePlace } from '../support/secret-places.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const FACTORY_KEY = 'factory-key-0123456789-0123456789-0123';
const FACTORY_ADMIN_KEY = 'factory-admin-key-0123456789-0123456789';
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const SNAPSHOT_EVERY_EVENTS = 3;
/** Port 9 (discard) of this machine: deliveries fail and go on waiting. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/';

/** What each place holds that was searched, among others. */
const WHERE: Readonly<Record<string, { running: string[]; after: string[] }>> = {
  'the data folder': {
    running: ['events.db', 'events.db-wal', 'side.db', 'snapshots.db'],
    after: ['snapshots.db snapshots.body unpacked', 'events.db events.data'],
  },
  'KurrentDB and MongoDB': {
    running: ['events', 'read_model_2', 'read_model_2.contacts', 'side_keys', 'side_deliveries'],
    after: ['side_snapshot_parts unpacked', 'side_event_index_2'],
  },
};

/** Texts that are searched for: these alone stand in clear, in index entries of MongoDB. */
const SEARCHED: readonly string[] = [
  ...['address when changed', 'admin name', 'email when changed', 'member name'],
  ...['name of an owner', 'name of somebody told', 'name when changed'],
]
  .map((text) => `${text} in read_model_2.contacts`)
  // The key of a member is called by its name.
  .concat('member name in read_model_2.api_keys')
  .sort();

describe('secrets and personal texts, stored in the data folder', () => {
  staySecret('the data folder', dataFolder);
});
describeWithMongo('secrets and personal texts, stored in KurrentDB and MongoDB', () => {
  staySecret('KurrentDB and MongoDB', (log) => servers(log, SNAPSHOT_EVERY_EVENTS));
});

function staySecret(where: string, open: (log: JsonLogger) => Promise<StoragePlace>): void {
  const is_embedded = where === 'the data folder';
  const secrets = new Planted();
  const personal = new Planted();
  const log: Buffer[] = [];
  const errors: string[] = [];
  const statuses = new Set<number>();
  const real_fetch = globalThis.fetch;
  let place: StoragePlace;
  let service: TestService;
  let org: Organization;
  let bob: Client;
  let giftcard_id: string;

  /** A token is looked for as a whole, and by the random bytes in it. */
  const token = (name: string, value: string): string => {
    secrets.known(name, value);
    const content = JSON.parse(Buffer.from(value, 'base64').toString()) as { value?: string };
    if (content.value) secrets.known(`${name}, its value`, content.value);
    return value;
  };

  const authJson = (name: string): string =>
    JSON.stringify({
      endpoint: 'https://s3.example',
      bucket: 'bucket',
      region: 'region',
      access_key: secrets.text(`${name}: access key`),
      secret_key: secrets.text(`${name}: secret key`),
    });

  beforeAll(async () => {
    globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
      const response = await real_fetch(...request);
      statuses.add(response.status);
      if (response.status >= 400) errors.push(await response.clone().text());
      return response;
    };
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(Buffer.from(chunk));
        done();
      },
    });
    const logger = new JsonLogger('trace', sink);
    place = await open(logger);
    await place.start();
    service = await TestService.start(
      {
        ...place.env,
        LOG_LEVEL: 'trace',
        FACTORY_KEYS: secrets.known('factory key', FACTORY_KEY),
        FACTORY_ADMIN_KEYS: secrets.known('factory admin key', FACTORY_ADMIN_KEY),
      },
      { logger, limits: { snapshot_every_events: SNAPSHOT_EVERY_EVENTS } },
    );
    const { data } = await service.client().post('/v1/factory/quickstart', {
      org_name: 'Test Org',
      note: personal.text('spawn note'),
      email: `${personal.text('organization email')}@example.com`,
      admin: {
        name: personal.text('admin name'),
        secret_entropy: secrets.text('entropy of the admin'),
      },
      members: [
        {
          name: personal.text('member name'),
          secret_entropy: secrets.text('entropy of a member'),
        },
      ],
      bundled_default_disk: {
        name: 'Bundled',
        disk_type: 'AWS_BUCKET',
        auth_json: JSON.parse(authJson('bundled disk')),
      },
    });
    org = organizationOf(service.url, data);
    bob = org.members[0]!;
    token('key of the admin', org.admin.token!);
    token('key of a member', bob.token!);
  });
  afterAll(async () => {
    globalThis.fetch = real_fetch;
    await service.stop();
    await place.stop();
  });

  const ok = async (path: string, body: object, client: Client = org.admin): Promise<any> => {
    const { status, data, err } = await client.post(path, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(err)}`);
    return data;
  };
  const fails = async (status: number, path: string, body: object, client = org.admin) => {
    const answer = await client.post(path, body);
    expect([path, answer.status]).toEqual([path, status]);
  };

  it('are taken by known organizations', async () => {
    const email = (of: string) => `${personal.text(`email of a known drive ${of}`)}@example.com`;
    const known = { name: 'Partner', icp_principal: 'aaaaa-aa', email: email('when made') };
    const { id } = await ok('/drives/create', known);
    const changed = await ok('/drives/update', { id, email: email('when changed') });
    expect(changed.email).not.toBe(known.email);
    await fails(400, '/drives/update', { id, email: personal.text('email that is none either') });
  });

  it('are taken by contacts', async () => {
    const fields = (of: string) => ({
      name: personal.text(`name ${of}`),
      avatar: `https://a.example/${personal.text(`avatar ${of}`)}`,
      email: `${personal.text(`email ${of}`)}@example.com`,
      notifications_url: `https://n.example/${personal.text(`notifications ${of}`)}`,
      public_note: personal.text(`public note ${of}`),
      private_note: personal.text(`private note ${of}`),
      evm_public_address: personal.known(`address ${of}`, address(of)),
      external_id: personal.text(`external id ${of}`),
      external_payload: personal.text(`external payload ${of}`),
    });
    const ann = await ok('/contacts/create', { ...fields('when made'), is_placeholder: true });
    const redeem_code = secrets.known('code of a contact', ann.redeem_code);
    await ok('/contacts/update', { id: ann.id, ...fields('when changed') });
    const wrong = secrets.text('wrong code of a contact');
    const signer = new Signer();
    const ids = { current_user_id: ann.id, new_user_id: signer.user_id };
    await fails(400, '/contacts/redeem', { ...ids, redeem_code: wrong });
    const note = personal.text('note of redeeming');
    const redeemed = await ok('/contacts/redeem', { ...ids, redeem_code, note });
    token('key of redeeming', redeemed.api_key);
    const entropy = secrets.text('entropy of a contact');
    const eve = await ok('/contacts/create', { ...fields('of Eve'), secret_entropy: entropy });
    await ok('/contacts/create', { name: 'Phrase', seed_phrase: secrets.known('phrase', PHRASE) });
    await ok('/organization/superswap_user', {
      current_user_id: eve.id,
      new_user_id: 'UserID_another-eve',
    });
    await ok('/contacts/update', { id: 'UserID_another-eve', email: null });
    await ok('/contacts/delete', { id: 'UserID_another-eve' });
    const profile_api_key = redeemed.api_key;
    await ok('/contacts/helpers/generate-auto-login-link', {
      user_id: signer.user_id,
      profile_api_key,
    });
    await fails(404, '/contacts/helpers/generate-auto-login-link', {
      user_id: signer.user_id,
      profile_api_key: secrets.text('key that is none'),
    });
    await fails(400, '/contacts/create', { name: personal.text('name too long').repeat(100) });
    await fails(400, '/contacts/create', { email: personal.text('email that is none') });
    await fails(400, '/contacts/create', { seed_phrase: secrets.text('phrase that is none') });
    const refused = { name: personal.text('name refused'), is_placeholder: true };
    await fails(403, '/contacts/create', refused, bob);
    await fails(404, '/contacts/update', { id: 'UserID_nobody', name: personal.text('nobody') });
    expect((await org.admin.get(`/contacts/get/${signer.user_id}`)).data.public_note).toContain(
      note,
    );
  });

  it('are taken by disks', async () => {
    const disk_type = 'AWS_BUCKET';
    const made = await ok('/disks/create', { name: 'A', disk_type, auth_json: authJson('disk') });
    await ok('/disks/update', { id: made.id, name: 'A', auth_json: authJson('disk again') });
    const cleared = await ok('/disks/update', { id: made.id, name: 'A', auth_json: null });
    expect(cleared.auth_json).toBeNull();
    const bad = secrets.text('auth_json that is none');
    await fails(400, '/disks/create', { name: 'B', disk_type, auth_json: bad });
    const long = authJson('auth_json too long') + ' '.repeat(8192);
    await fails(400, '/disks/create', { name: 'B', disk_type, auth_json: long });
    await fails(
      403,
      '/disks/create',
      { name: 'B', disk_type, auth_json: authJson('refused') },
      bob,
    );
  });

  it('are taken by keys, in the header and in the query', async () => {
    const made = await ok('/api_keys/create', { name: 'CI' });
    const value = token('key', made.value);
    const nobody = org.as();
    expect(
      (await nobody.get(`/organization/whoami?auth=${encodeURIComponent(value)}`)).status,
    ).toBe(200);
    await ok('/api_keys/update', { id: made.id, is_revoked: true });
    expect((await org.as(value).get('/organization/whoami')).status).toBe(401);
    await ok('/api_keys/delete', { id: made.id });
    for (const wrong of ['key in the header', 'key in the query'].map((name) => secrets.text(name)))
      for (const answer of [
        await org.as(wrong).get('/organization/whoami'),
        await nobody.get(`/organization/whoami?auth=${wrong}`),
      ])
        expect(answer.status).toBe(401);
    const signer = new Signer();
    const signed = signer.in(org);
    expect(parseToken(signed.token!).kind).toBe('signature');
    token('signature', signed.token!);
    expect((await signed.get('/organization/whoami')).status).toBe(200);
    const stale = signer.in(org, 1_600_000_000_000);
    token('signature that is too old', stale.token!);
    expect((await stale.get('/organization/whoami')).status).toBe(401);
  });

  it('are taken by invites', async () => {
    const group = await ok('/groups/create', { name: 'Group' });
    const body = { group_id: group.id, role: 'MEMBER' };
    const invite = await ok('/groups/invites/create', body);
    const redeem_code = secrets.known('code of an invite', invite.redeem_code);
    const wrong = secrets.text('wrong code of an invite');
    const redeem = { invite_id: invite.id };
    await fails(400, '/groups/invites/redeem', { ...redeem, redeem_code: wrong }, bob);
    const redeemed = await ok('/groups/invites/redeem', { ...redeem, redeem_code }, bob);
    expect(redeemed.invite.invitee_id).toBe(bob.user_id);
    const unused = await ok('/groups/invites/create', body);
    secrets.known('code of an unused invite', unused.redeem_code);
  });

  it('are taken by permissions', async () => {
    const disk = await ok('/disks/create', { name: 'P', disk_type: 'LOCAL_SSD' });
    const metadata = (name: string) => ({
      metadata_type: 'DIRECTORY_PASSWORD',
      content: secrets.text(name),
    });
    for (const [path, resource_id] of [
      ['/permissions/directory', disk.root_folder],
      ['/permissions/system', 'TABLE_GROUPS'],
    ] as const) {
      const body = { resource_id, permission_types: ['VIEW'] };
      const made = await ok(`${path}/create`, { ...body, metadata: metadata(`${path} password`) });
      const redeem_code = secrets.known(`${path} code`, made.redeem_code);
      await ok(`${path}/update`, {
        id: made.id,
        permission_types: ['VIEW'],
        metadata: metadata(`${path} second password`),
      });
      const redeem = { permission_id: made.id, user_id: bob.user_id };
      await fails(400, `${path}/redeem`, { ...redeem, redeem_code: secrets.text(`${path} wrong`) });
      const redeemed = await ok(`${path}/redeem`, { ...redeem, redeem_code });
      expect(redeemed.granted_to).toBe(bob.user_id);
    }
  });

  it('are taken by webhooks, and by what waits to be sent to them', async () => {
    const group = await ok('/groups/create', { name: 'Watched' });
    const hook = await ok('/webhooks/create', {
      ...{ url: NOBODY_LISTENS, event: 'group.invite.created', alt_index: group.id },
      signature: secrets.text('signature'),
    });
    secrets.known('secret of a webhook', hook.secret);
    const { id } = hook;
    await ok('/webhooks/update', { id, signature: secrets.text('second signature') });
    const rotated = await ok('/webhooks/update', { id, rotate_secret: true });
    secrets.known('second secret of a webhook', rotated.secret);
    const fields = { id: 'UserID_told', name: personal.text('name of somebody told') };
    const told = await ok('/contacts/create', fields);
    const invited = { group_id: group.id, invitee_id: told.id, role: 'MEMBER' };
    await ok('/groups/invites/create', invited);
    const attempts = async (): Promise<unknown[]> =>
      (await ok('/webhooks/deliveries', { id })).items;
    await eventually(async () => (await attempts()).length > 0);
    expect((await attempts())[0]).toMatchObject({ outcome: 'failed' });
  });

  it('include those of an erased user', async () => {
    const id = 'UserID_forgotten';
    const name = personal.text('name of somebody forgotten');
    const fields = { name, email: `${personal.text('email of somebody forgotten')}@example.com` };
    await ok('/contacts/create', { id, ...fields });
    expect((await ok('/contacts/list', { filters: name })).items).toHaveLength(1);
    await ok('/contacts/erase', { id });
    expect((await ok('/contacts/list', { filters: name })).items).toEqual([]);
  });

  it('are taken by gift cards, and by the organizations that they spawn', async () => {
    const cards = '/v1/factory/giftcards/spawnorg';
    const anybody = service.client();
    const admin = new Client(service.url, FACTORY_ADMIN_KEY);
    const disk = (name: string) => ({
      bundled_default_disk: {
        name: 'Gift',
        disk_type: 'AWS_BUCKET',
        auth_json: JSON.parse(authJson(name)),
      },
    });
    const { id } = await ok(`${cards}/create`, disk('disk of a card'), anybody);
    await ok(`${cards}/update`, { id, ...disk('disk of a card again') }, admin);
    await fails(403, `${cards}/update`, { id }, new Client(service.url, FACTORY_KEY));
    const refused = disk('disk of a card refused');
    await fails(400, `${cards}/create`, { ...refused, usd_revenue_cents: -1 }, anybody);
    const redeem = { giftcard_id: id, owner_user_id: new Signer().user_id };
    const email = `${personal.text('email of a gift')}@example.com`;
    const owner_name = personal.text('name of an owner');
    const gift = await ok(`${cards}/redeem`, { ...redeem, email, owner_name }, anybody);
    const redeem_code = secrets.known('spawn code', gift.redeem_code);
    const gift_drive = new Client(`${service.url}/v1/drive/${gift.drive_id}`);
    const { api_key } = await ok('/organization/redeem', { redeem_code }, gift_drive);
    token('key of an owner', api_key);
    const wrong = `auth=${secrets.text('factory key that is none')}`;
    expect((await anybody.get(`${cards}/get/${id}?${wrong}`)).status).toBe(401);
    giftcard_id = id;
  });

  it('are taken by the organization, and by bodies that are none', async () => {
    await fails(400, '/organization/redeem', { redeem_code: secrets.text('wrong spawn code') });
    const broken = `{"name": "${personal.text('name in broken JSON')}", `;
    const answers = [
      await org.admin.send('POST', '/contacts/create', broken),
      await org.admin.post('/contacts/create', { name: { a: personal.text('name as object') } }),
      await org.admin.post('/contacts/create', [personal.text('name in a list')]),
      await service.client().post('/v1/factory/quickstart', {
        members: [{ name: personal.text('name of a member refused'), secret_entropy: 7 }],
      }),
      await new Client(`${service.url}/v1/nowhere`).post('', {
        name: personal.text('name for nobody'),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404]);
  });

  it('show in replay only what is no secret', async () => {
    const shown = await org.admin.post('/organization/replay', { include: ['ALL'], verify: true });
    expect(shown.status).toBe(200);
    expect(secrets.foundIn(Buffer.from(JSON.stringify(shown.body)))).toEqual([]);
  });

  it('stand in clear in no answer that is an error', () => {
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404]);
    expect(errors.length).toBeGreaterThan(18);
    for (const error of errors) {
      expect(secrets.foundIn(Buffer.from(error))).toEqual([]);
      expect(personal.foundIn(Buffer.from(error))).toEqual([]);
    }
  });

  it('stand in clear neither in metrics nor in the description of the API', async () => {
    for (const path of ['/metrics', '/openapi.json']) {
      const text = await (await real_fetch(service.url + path)).text();
      expect(text.length).toBeGreaterThan(100);
      expect(secrets.foundIn(Buffer.from(text))).toEqual([]);
      expect(personal.foundIn(Buffer.from(text))).toEqual([]);
    }
  });

  it('stand in clear nowhere in what is stored, while the server runs and after it', async () => {
    const search = async () => {
      const found = new Set<string>();
      const places = new Set<string>();
      for await (const { where: found_in, bytes } of place.everything(service)) {
        places.add(found_in);
        for (const one of secrets.foundIn(bytes)) found.add(`${one} in ${found_in}`);
        // Freed pages of the server's files still hold search texts of before.
        if (!found_in.startsWith('file '))
          for (const one of personal.foundIn(bytes)) found.add(`${one} in ${found_in}`);
      }
      return { found: [...found].sort(), places: [...places] };
    };
    await place.idle(service);
    const running = await search();
    expect(running.found).toEqual(is_embedded ? [] : SEARCHED);
    expect(running.places).toEqual(expect.arrayContaining(WHERE[where]!.running));
    const nothing_odd = { valid: true, drift_documents: 0 };
    expect(await ok('/organization/verify', {})).toMatchObject(nothing_odd);
    await ok('/organization/reindex', {});
    expect(await ok('/organization/verify', {})).toMatchObject(nothing_odd);
    await service.restart();
    await place.idle(service);
    const { found, places } = await search();
    expect(found).toEqual(running.found);
    expect(places).toEqual(expect.arrayContaining(WHERE[where]!.after));
  });

  it('stand in clear nowhere in the log at its most talkative', () => {
    const lines = Buffer.concat(log);
    expect(lines.toString().split('\n').length).toBeGreaterThan(30);
    expect(secrets.foundIn(lines)).toEqual([]);
    expect(personal.foundIn(lines)).toEqual([]);
    // Stored in clear, as it names a record, and yet worth an organization to whoever reads it.
    expect(lines.includes(giftcard_id)).toBe(false);
  });

  it('are really searched: each form would be found', () => {
    const look = new Planted();
    const text = look.text('it');
    const base64 = (before: string) => Buffer.from(`${before}${text}.`).toString('base64');
    const hex = Buffer.from(text).toString('hex');
    for (const form of [text, hex, hex.toUpperCase(), ...['', 'a', 'ab', 'abc'].map(base64)])
      expect(look.foundIn(Buffer.from(`… ${form} …`))).toEqual(['it']);
    expect(secrets.size + personal.size).toBeGreaterThan(60);
  });
}

let addresses = 0;

/** An address of its own for every field, in the form that is asked for. */
function address(_of: string): string {
  addresses++;
  return `0x${String(addresses).padStart(2, '0').repeat(20)}`;
}
