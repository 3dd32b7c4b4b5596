import type { Client, Organization } from '../support/client.js';
import { act, BUCKET, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { Planted } from '../support/planted.js';

/** Time of the first record; each later one is made at a time of its own, which is a secret too. */
const BEGIN_MS = 1_900_000_000_003;
const STEP_MS = 1_000_003;

/**
 * An organization full of records whose every text and time is planted: they occur nowhere else, so
 * whoever reads one has been told of the record it belongs to.
 */
export class World {
  now_ms = BEGIN_MS;
  readonly planted = new Planted();
  /** Ids by a name that says what the record is. */
  readonly ids = new Map<string, string>();
  private readonly texts = new Map<string, string>();
  disk!: TestDisk;
  other_disk!: TestDisk;

  constructor(private readonly org: Organization) {}

  id(name: string): string {
    const id = this.ids.get(name);
    if (id === undefined) throw new Error(`There is no ${name}.`);
    return id;
  }

  /** A secret text of a record. */
  word(name: string, field: string): string {
    const word = this.planted.text(`${name} ${field}`);
    this.texts.set(`${name} ${field}`, word);
    return word;
  }

  /** All secret texts. */
  get words(): readonly string[] {
    return [...this.texts.values()];
  }

  /** Names of the secret texts that hold a part. */
  ownersOf(part: string): string[] {
    return [...this.texts].filter(([, text]) => text.includes(part)).map(([name]) => name);
  }

  /** Makes a record at a time of its own and remembers it. */
  async make(name: string, making: () => Promise<any>): Promise<any> {
    this.now_ms += STEP_MS;
    this.planted.known(`${name} time`, String(this.now_ms));
    const made = await making();
    if (made.id !== undefined) this.ids.set(name, made.id);
    return made;
  }

  async post(name: string, path: string, body: object, by: Client = this.org.admin): Promise<any> {
    return this.make(name, async () => {
      const { data, err } = await by.post(path, body);
      if (err) throw new Error(`${name}: ${err.message}`);
      return data;
    });
  }

  async build(): Promise<void> {
    // Its members know each other's names, which are to be hidden here.
    const { data } = await this.org.admin.post('/groups/list');
    await this.org.admin.post('/groups/delete', { id: data.items[0].id });
    await this.people();
    await this.things();
    await this.tree();
    await this.rights();
    this.now_ms += STEP_MS;
  }

  private async people(): Promise<void> {
    for (const name of ['contact', 'second contact']) {
      const word = (field: string) => this.word(name, field);
      await this.post(name, '/contacts/create', {
        ...{ name: word('name'), email: `${word('email')}@mail.example` },
        ...{ public_note: word('public_note'), private_note: word('private_note') },
        ...{ avatar: `https://a.example/${word('avatar')}`, external_id: word('external_id') },
        ...{ external_payload: word('external_payload'), is_placeholder: true },
        notifications_url: `https://a.example/${word('notifications_url')}`,
      });
    }
    await this.post('group', '/groups/create', {
      ...{ name: this.word('group', 'name'), public_note: this.word('group', 'public_note') },
      private_note: this.word('group', 'private_note'),
      external_id: this.word('group', 'external_id'),
    });
    const group_id = this.id('group');
    for (const invitee_id of [this.id('contact'), undefined]) {
      const name = invitee_id ? 'invite' : 'open invite';
      const body = { group_id, invitee_id, role: 'MEMBER', note: this.word(name, 'note') };
      const invite = await this.post(name, '/groups/invites/create', body);
      if (invite.redeem_code) this.planted.known(`${name} code`, invite.redeem_code);
    }
  }

  private async things(): Promise<void> {
    const label = this.word('label', 'value');
    await this.post('label', '/labels/create', {
      ...{ value: label, public_note: this.word('label', 'public_note') },
      private_note: this.word('label', 'private_note'),
    });
    await this.post('drive', '/drives/create', {
      ...{ name: this.word('drive', 'name'), icp_principal: 'aaaaa-aa' },
      ...{ public_note: this.word('drive', 'public_note'), id: 'DriveID_partner' },
      private_note: this.word('drive', 'private_note'),
    });
    await this.post('purchase', '/purchases/create', {
      ...{ title: this.word('purchase', 'title'), vendor_name: this.word('purchase', 'vendor') },
      ...{ notes: this.word('purchase', 'notes'), vendor_id: this.id('contact') },
    });
    const hook = await this.post('webhook', '/webhooks/create', {
      ...{ name: this.word('webhook', 'name'), note: this.word('webhook', 'note') },
      url: `https://hooks.example/${this.word('webhook', 'url')}`,
      ...{ event: 'file.created', alt_index: 'ALL_FILES' },
      signature: this.word('webhook', 'signature'),
    });
    this.planted.known('webhook secret', hook.secret);
    const key = await this.post('api key', '/api_keys/create', {
      ...{ name: this.word('api key', 'name'), private_note: this.word('api key', 'note') },
      user_id: this.id('second contact'),
    });
    this.planted.known('api key value', key.value);
    await this.make('bookmark', async () => {
      const name = this.word('bookmark', 'name').toLowerCase();
      return (await this.org.admin.post('/organization/bookmarks', { name })).data;
    });
    await this.make('short link', async () => {
      const original_url = `https://l.example/${this.word('short link', 'url')}`;
      return (await this.org.admin.post('/organization/shortlink', { original_url })).data;
    });
  }

  private async tree(): Promise<void> {
    const auth_json = { ...BUCKET, secret_key: this.word('disk', 'auth_json') };
    this.disk = await this.post('disk', '/disks/create', {
      ...{ name: this.word('disk', 'name'), disk_type: 'AWS_BUCKET' },
      auth_json: JSON.stringify(auth_json),
      public_note: this.word('disk', 'public_note'),
      private_note: this.word('disk', 'private_note'),
    });
    this.other_disk = await this.post('other disk', '/disks/create', {
      ...{ name: this.word('other disk', 'name'), disk_type: 'LOCAL_SSD' },
    });
    this.ids.set('root', this.disk.root_folder);
    this.ids.set('trash', this.disk.trash_folder);
    await this.folder('top', 'root');
    await this.folder('folder', 'top');
    await this.folder('subfolder', 'folder');
    await this.folder('sovereign', 'folder', { has_sovereign_permissions: true });
    await this.folder('elsewhere', 'root');
    for (const parent of ['root', 'top', 'folder', 'subfolder', 'sovereign', 'elsewhere'])
      await this.file(`file in ${parent}`, parent);
    await this.file('moved file', 'elsewhere');
    await this.file('trashed file', 'folder');
    await act(this.org.admin, 'DELETE_FILE', { id: this.id('trashed file') });
  }

  /** Takes a file out of a folder that is shared, into one that is not. */
  async moveAway(): Promise<void> {
    const id = this.id('moved file');
    const payload = { id, destination_folder_id: this.id('sovereign') };
    await act(this.org.admin, 'MOVE_FILE', payload);
    await act(this.org.admin, 'UPDATE_FILE', { id, name: this.word('moved file', 'later name') });
  }

  private async folder(name: string, parent: string, more: object = {}): Promise<void> {
    const parent_folder_uuid = this.id(parent);
    await this.make(name, () =>
      makeFolder(this.org.admin, this.disk, this.word(name, 'name'), {
        ...{ parent_folder_uuid, notes: this.word(name, 'notes'), ...more },
        external_id: this.word(name, 'external_id'),
      }),
    );
  }

  private async file(name: string, parent: string): Promise<void> {
    const parent_folder_uuid = this.id(parent);
    await this.make(name, () =>
      makeFile(this.org.admin, this.disk, this.word(name, 'name'), {
        ...{ parent_folder_uuid, notes: this.word(name, 'notes') },
        raw_url: `https://raw.example/${this.word(name, 'raw_url')}`,
        external_payload: this.word(name, 'external_payload'),
      }),
    );
  }

  private async rights(): Promise<void> {
    await this.post('directory grant', '/permissions/directory/create', {
      ...{ resource_id: this.id('folder'), granted_to: this.id('contact') },
      ...{ permission_types: ['VIEW'], note: this.word('directory grant', 'note') },
    });
    const open = await this.post('open directory grant', '/permissions/directory/create', {
      ...{ resource_id: this.id('folder'), permission_types: ['VIEW'] },
      note: this.word('open directory grant', 'note'),
    });
    this.planted.known('open directory grant code', open.redeem_code);
    await this.post('system grant', '/permissions/system/create', {
      ...{ resource_id: 'TABLE_GROUPS', granted_to: this.id('contact') },
      ...{ permission_types: ['VIEW'], note: this.word('system grant', 'note') },
    });
  }
}
