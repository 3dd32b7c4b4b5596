import { event } from '../foundation/events.js';
import { granted, grouped, invited } from '../groups/testing/events.js';
import { directoryGrant, disk, ROOT } from '../permissions/testing/grants.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { type CreateWebhook as Command, MOST_WEBHOOKS, webhookCommands } from './commands.js';
import { presentWebhook, webhookReads } from './reads.js';
import { watching } from './testing/events.js';

const { CreateWebhook, DeleteWebhook, UpdateWebhook } = webhookCommands;
const USER = 'UserID_a';
const ID = 'WebhookID_1';
const fresh = { webhook_id: ID, secret: 'whsec_one' };

const create = (more: Partial<Command> = {}): Command => ({
  alt_index: 'INBOX_NEW_MAIL',
  event: 'org.inbox.new_mail',
  url: 'https://hook.example/',
  fresh,
  ...more,
});

const mayDo = (type: 'CREATE' | 'VIEW' | 'EDIT' | 'DELETE', on = 'TABLE_WEBHOOKS') =>
  granted(`SystemPermissionID_${type}${on}`, USER, on, type);
const MAY_AUDIT = granted('SystemPermissionID_audit', USER, 'TABLE_AUDIT', 'VIEW');

const mayView = (inheritable: boolean) =>
  directoryGrant('1', ROOT, { granted_to: USER, permission_types: ['VIEW'], inheritable });

describe('CreateWebhook', () => {
  it('creates an active webhook named after its target, and shows its secret only in this answer', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by } = drive.when(CreateWebhook, OWNER, create());
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer).toEqual({
      id: ID,
      name: 'org.inbox.new_mail@INBOX_NEW_MAIL',
      url: 'https://hook.example/',
      alt_index: 'INBOX_NEW_MAIL',
      event: 'org.inbox.new_mail',
      signature: '',
      secret: 'whsec_one',
      description: '',
      note: '',
      active: true,
      created_by: OWNER,
      paused_reason: null,
      filters: '',
      labels: [],
      external_id: null,
      external_payload: null,
      created_at: expect.any(Number),
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
    });
    const webhook = drive.state.webhooks.get(ID)!;
    expect(presentWebhook(drive.context(OWNER), webhook).secret).toBe('');
  });

  it('truncates the generated name to 256 characters', () => {
    const alt_index = 'x'.repeat(256);
    const { answer } = new SpecDrive().when(CreateWebhook, OWNER, create({ alt_index }));
    expect(answer!.name).toBe(`org.inbox.new_mail@${alt_index}`.slice(0, 256));
    const pairs = create({ alt_index: '😀'.repeat(128) });
    const name = new SpecDrive().when(CreateWebhook, OWNER, pairs).answer!.name;
    expect(name).toBe(`org.inbox.new_mail@${'😀'.repeat(118)}`);
  });

  it.each(['', undefined])('treats the name %p as absent', (name) => {
    const given = name === undefined ? {} : { name };
    const { answer } = new SpecDrive().when(CreateWebhook, OWNER, create(given));
    expect(answer!.name).toBe('org.inbox.new_mail@INBOX_NEW_MAIL');
  });

  it('first refuses events that can never fire, and stores the meaning of ALL', () => {
    const drive = new SpecDrive();
    const never = create({ event: 'group.invite.created', alt_index: 'ALL' });
    expect(drive.when(CreateWebhook, USER, never).refusal).toBe('invalid-field');
    const all = create({ event: 'subfolder.viewed', alt_index: 'ALL' });
    expect(drive.when(CreateWebhook, OWNER, all).answer).toMatchObject({
      alt_index: 'ALL_FOLDERS',
      name: 'subfolder.viewed@ALL_FOLDERS',
    });
  });

  it('accepts a chosen id once', () => {
    const drive = new SpecDrive();
    drive.when(CreateWebhook, OWNER, create({ id: 'WebhookID_mine' }));
    const again = create({ id: 'WebhookID_mine' });
    expect(drive.when(CreateWebhook, OWNER, again).refusal).toBe('id-in-use');
    drive.when(DeleteWebhook, OWNER, { id: 'WebhookID_mine' });
    expect(drive.when(CreateWebhook, OWNER, again).refusal).toBe('id-in-use');
  });

  it('allows at most a thousand webhooks', () => {
    const drive = new SpecDrive();
    for (let nth = 1; nth < MOST_WEBHOOKS; nth++) drive.given(watching(`WebhookID_n${nth}`, 'x'));
    expect(drive.when(CreateWebhook, OWNER, create()).refusal).toBe(null);
    const another = create({ id: 'WebhookID_another' });
    expect(drive.when(CreateWebhook, OWNER, another).refusal).toBe('too-many-webhooks');
    drive.when(DeleteWebhook, OWNER, { id: ID });
    expect(drive.when(CreateWebhook, OWNER, another).refusal).toBe(null);
  });

  it.each(['nonsense', '[]', '7', 'null', '{'])('refuses %p as filters', (filters) => {
    const { refusal } = new SpecDrive().when(CreateWebhook, OWNER, create({ filters }));
    expect(refusal).toBe('invalid-field');
  });

  it('needs CREATE, and permission to see the watched resource', () => {
    const drive = new SpecDrive();
    const attempt = () => drive.when(CreateWebhook, USER, create());
    expect(attempt().refusal).toBe('forbidden');
    drive.given(MAY_AUDIT);
    expect(attempt().refusal).toBe('forbidden');
    drive.given(mayDo('CREATE'));
    expect(attempt()).toMatchObject({
      refusal: null,
      allowed_by: ['SystemPermissionID_CREATETABLE_WEBHOOKS', 'SystemPermissionID_audit'],
    });
  });

  const LABEL = 'LabelID_1';
  it.each([
    ['a topic', 'orders', 'org.inbox.new_mail', MAY_AUDIT],
    ['every file', 'ALL_FILES', 'file.created', MAY_AUDIT],
    ['every change', 'STATE_DIFFS', 'drive.state_diffs', MAY_AUDIT],
    ['every restoration', 'RESTORE_TRASH', 'drive.restore_trash', MAY_AUDIT],
    ['every superswap', 'SUPERSWAP_USER', 'org.superswap_user', MAY_AUDIT],
    ['a label', LABEL, 'label.added', granted('SystemPermissionID_l', USER, LABEL, 'VIEW')],
    ['a group', 'GroupID_g', 'group.invite.created', invited('GroupInviteID_u', 'GroupID_g', USER)],
    [
      'a group',
      EVERYONE,
      'group.invite.created',
      granted('SystemPermissionID_g', USER, EVERYONE, 'VIEW'),
    ],
    ['a folder', 'FolderID_root', 'folder.updated', mayView(false)],
    ['what lies in a folder', 'FolderID_root', 'subfile.created', mayView(true)],
  ] as const)('lets watch %s (%s) only who may see it', (_, alt_index, kind, right) => {
    const drive = new SpecDrive().given(mayDo('CREATE'), grouped('GroupID_g'), disk);
    const attempt = () => drive.when(CreateWebhook, USER, create({ alt_index, event: kind }));
    expect(attempt().refusal).toBe('forbidden');
    expect(
      drive.given(right).when(CreateWebhook, USER, create({ alt_index, event: kind })).refusal,
    ).toBe(null);
  });

  it.each([
    ['a group', 'GroupID_g', invited('GroupInviteID_u', 'GroupID_g', USER)],
    ['a label', LABEL, granted('SystemPermissionID_l', USER, LABEL, 'VIEW')],
    ['a folder', 'FolderID_root', mayView(true)],
  ] as const)(
    'treats a topic as a topic, even if it looks like the id of %s',
    (_, topic, right) => {
      const drive = new SpecDrive().given(mayDo('CREATE'), grouped('GroupID_g'), disk, right);
      const attempt = create({ alt_index: topic });
      expect(drive.when(CreateWebhook, USER, attempt).refusal).toBe('forbidden');
      expect(drive.given(MAY_AUDIT).when(CreateWebhook, USER, attempt).refusal).toBe(null);
    },
  );

  it('refuses to watch the content of a folder if the caller only sees the folder itself', () => {
    const drive = new SpecDrive().given(mayDo('CREATE'), disk, mayView(false));
    const attempt = create({ alt_index: 'FolderID_root', event: 'subfolder.updated' });
    expect(drive.when(CreateWebhook, USER, attempt).refusal).toBe('forbidden');
  });
});

describe('UpdateWebhook', () => {
  const watched = () => new SpecDrive().given(watching(ID, 'INBOX_NEW_MAIL'));
  const update = { id: ID, fresh: { secret: 'whsec_two' } };

  it('changes only the given fields', () => {
    const { answer, events } = watched().when(UpdateWebhook, OWNER, {
      ...update,
      name: 'Mail',
      note: 'n',
      active: false,
    });
    expect(events).toEqual([
      event('WebhookUpdated', { webhook_id: ID, name: 'Mail', note: 'n', active: false }),
    ]);
    expect(answer).toMatchObject({ name: 'Mail', note: 'n', active: false, secret: '' });
  });

  it('rotates the secret and keeps the previous one', () => {
    const drive = watched();
    const { answer } = drive.when(UpdateWebhook, OWNER, { ...update, rotate_secret: true });
    expect(answer!.secret).toBe('whsec_two');
    expect(drive.state.webhooks.get(ID)).toMatchObject({
      secret: 'whsec_two',
      previous_secret: 'whsec_spec',
    });
  });

  it.each([{}, { rotate_secret: false }])('refuses %p, which changes nothing', (fields) => {
    const { refusal } = watched().when(UpdateWebhook, OWNER, { ...update, ...fields });
    expect(refusal).toBe('nothing-to-update');
  });

  it('refuses an unknown webhook and filters that are no JSON', () => {
    const drive = watched();
    const other = { ...update, id: 'WebhookID_2', name: 'x' };
    expect(drive.when(UpdateWebhook, OWNER, other).refusal).toBe('webhook-not-found');
    const filtered = { ...update, filters: 'x' };
    expect(drive.when(UpdateWebhook, OWNER, filtered).refusal).toBe('invalid-field');
  });

  it('needs EDIT; changing the URL or `active` also needs permission to see the watched resource', () => {
    const drive = watched();
    const attempt = (fields: object) =>
      drive.when(UpdateWebhook, USER, { ...update, ...fields }).refusal;
    expect(attempt({ name: 'x' })).toBe('forbidden');
    drive.given(mayDo('EDIT', ID));
    expect(attempt({ name: 'x' })).toBe(null);
    expect(attempt({ url: 'https://elsewhere.example/' })).toBe('forbidden');
    expect(attempt({ active: false })).toBe('forbidden');
    // Unchanged values of URL and `active` are no change.
    expect(attempt({ url: 'https://hook.example/', active: true })).toBe(null);
    drive.given(MAY_AUDIT);
    expect(attempt({ url: 'https://elsewhere.example/', active: false })).toBe(null);
  });
});

describe('DeleteWebhook', () => {
  it('removes the webhook and the grants on it', () => {
    const drive = new SpecDrive().given(watching(ID, 'STATE_DIFFS'), mayDo('VIEW', ID));
    const before = drive.state.system_permissions.size;
    const { answer } = drive.when(DeleteWebhook, OWNER, { id: ID });
    expect(answer).toEqual({ id: ID, deleted: true });
    expect(drive.state.webhooks.size).toBe(0);
    expect(drive.state.system_permissions.size).toBe(before - 1);
    expect(drive.when(DeleteWebhook, OWNER, { id: ID }).refusal).toBe('webhook-not-found');
  });

  it('needs DELETE', () => {
    const drive = new SpecDrive().given(watching(ID, 'STATE_DIFFS'));
    expect(drive.when(DeleteWebhook, USER, { id: ID }).refusal).toBe('forbidden');
    drive.given(mayDo('DELETE', ID));
    expect(drive.when(DeleteWebhook, USER, { id: ID }).refusal).toBe(null);
  });
});

describe('reading webhooks', () => {
  it('shows the signature to callers with EDIT, masked in past states', () => {
    const drive = new SpecDrive().given(watching(ID, 'STATE_DIFFS', { signature: 'sign' }));
    const webhook = drive.state.webhooks.get(ID)!;
    const shown = (context = drive.context(USER)) => presentWebhook(context, webhook).signature;
    drive.given(mayDo('VIEW'));
    expect(shown()).toBe('');
    drive.given(mayDo('EDIT', ID));
    expect(shown()).toBe('sign');
    expect(shown({ ...drive.context(USER), masked: true })).toBe('***');
  });

  it('lists the webhooks that the caller may read', () => {
    const drive = new SpecDrive().given(watching(ID, 'A'), watching('WebhookID_2', 'B'));
    const [first, second] = [...drive.state.webhooks.values()];
    const visible = () => webhookReads.visible(drive.context(USER));
    expect(visible()).toEqual([{ field: 'id', among: new Set() }]);
    drive.given(mayDo('VIEW', ID));
    expect(visible()).toEqual([{ field: 'id', among: new Set([ID]) }]);
    expect(webhookReads.mayRead(drive.context(USER), first!)).toBe(true);
    expect(webhookReads.mayRead(drive.context(USER), second!)).toBe(false);
    drive.given(mayDo('VIEW'));
    expect(visible()).toBe('all');
  });
});
