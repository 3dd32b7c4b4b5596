import type { SystemType } from '../kernel/permission-types.js';
import { event } from '../foundation/events.js';
import { granted, superswapped } from '../groups/testing/events.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { purchaseCommands } from './commands.js';
import { presentPurchase, purchaseReads } from './reads.js';
import { purchased } from './testing/events.js';

const { CreatePurchase, UpdatePurchase, DeletePurchase } = purchaseCommands;
const BOB = 'UserID_bob';
const VENDOR = 'UserID_vendor';
const ID = 'PurchaseID_1';
const fresh = { purchase_id: ID };

const drive = (...types: SystemType[]) =>
  new SpecDrive().given(
    purchased(ID, { vendor_id: VENDOR, notes: 'ours', vendor_notes: 'theirs', tracer: 't-1' }),
    ...(types.length > 0
      ? [granted('SystemPermissionID_b', BOB, 'TABLE_PURCHASES', ...types)]
      : []),
  );

describe('CreatePurchase', () => {
  it('fills absent fields with defaults', () => {
    const { answer } = new SpecDrive().when(CreatePurchase, OWNER, { title: 'Hosting', fresh });
    const texts = ['subtitle', 'description', 'vendor_name', 'vendor_id', 'pricing', 'about_url'];
    const urls = ['billing_url', 'support_url', 'delivery_url', 'verification_url'];
    const empty = [...texts, ...urls, 'auth_installation_url', 'vendor_notes', 'notes'];
    expect(answer).toEqual({
      ...Object.fromEntries(empty.map((field) => [field, ''])),
      id: ID,
      title: 'Hosting',
      template_id: null,
      status: 'REQUESTED',
      next_delivery_date: -1,
      tracer: null,
      labels: [],
      related_resources: [],
      created_at: T0 + 1,
      updated_at: T0 + 1,
      last_updated_at: T0 + 1,
      external_id: null,
      external_payload: null,
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
    });
  });

  it('requires CREATE on the table and an unused id', () => {
    const command = { title: 'x', fresh: { purchase_id: 'PurchaseID_2' } };
    for (const who of [BOB, VENDOR])
      expect(drive('VIEW', 'EDIT', 'DELETE').when(CreatePurchase, who, command).refusal).toBe(
        'forbidden',
      );
    expect(drive('CREATE').when(CreatePurchase, BOB, command).allowed_by).toEqual([
      'SystemPermissionID_b',
    ]);
    const given = drive();
    const again = { ...command, id: ID };
    expect(given.when(CreatePurchase, OWNER, again).refusal).toBe('id-in-use');
    given.when(DeletePurchase, OWNER, { id: ID });
    expect(given.when(CreatePurchase, OWNER, again).refusal).toBe('id-in-use');
  });
});

describe('UpdatePurchase', () => {
  it('changes the given fields, and the time', () => {
    const { answer } = drive().when(UpdatePurchase, OWNER, {
      id: ID,
      title: 'Renamed',
      vendor_id: null,
      tracer: null,
    });
    expect(answer).toMatchObject({
      title: 'Renamed',
      vendor_id: '',
      tracer: null,
      notes: 'ours',
      created_at: T0 + 1,
      updated_at: T0 + 2,
      last_updated_at: T0 + 2,
    });
  });

  it.each([
    { status: 'RUNNING' as const },
    { about_url: 'https://a.example' },
    { billing_url: 'https://a.example' },
    { support_url: 'https://a.example' },
    { delivery_url: 'https://a.example' },
    { verification_url: 'https://a.example' },
    { auth_installation_url: 'https://a.example' },
    { vendor_notes: 'shipped' },
    { tracer: 't-2' },
    { external_id: 'e' },
    { external_payload: 'p' },
  ])('lets the vendor change %j', (fields) => {
    const { events, allowed_by } = drive().when(UpdatePurchase, VENDOR, { id: ID, ...fields });
    expect(events).toEqual([event('PurchaseUpdated', { purchase_id: ID, ...fields })]);
    expect(allowed_by).toEqual(['SELF']);
  });

  it.each([
    { template_id: 't' },
    { title: 'x' },
    { subtitle: 'x' },
    { description: 'x' },
    { vendor_name: 'x' },
    { vendor_id: BOB },
    { pricing: 'free' },
    { next_delivery_date: 1 },
    { notes: 'x' },
    { related_resources: [] },
  ])('does not let the vendor change %j, not even beside what they may', (fields) => {
    const command = { id: ID, status: 'PAID' as const, ...fields };
    expect(drive().when(UpdatePurchase, VENDOR, command).refusal).toBe('forbidden');
    expect(drive('EDIT').when(UpdatePurchase, BOB, command).refusal).toBeNull();
  });

  it('refuses unknown purchases, strangers and empty changes', () => {
    const unknown = { id: 'PurchaseID_none', title: 'x' };
    expect(drive().when(UpdatePurchase, BOB, unknown).refusal).toBe('purchase-not-found');
    const blind = drive('VIEW', 'CREATE', 'DELETE');
    expect(blind.when(UpdatePurchase, BOB, { id: ID, status: 'PAID' }).refusal).toBe('forbidden');
    expect(drive().when(UpdatePurchase, VENDOR, { id: ID }).refusal).toBe('nothing-to-update');
    expect(blind.when(UpdatePurchase, BOB, { id: ID }).refusal).toBe('forbidden');
  });
});

describe('DeletePurchase', () => {
  it('requires DELETE, and also deletes the grants on the record', () => {
    const given = drive('DELETE').given(granted('SystemPermissionID_p', VENDOR, ID, 'VIEW'));
    expect(drive('EDIT').when(DeletePurchase, BOB, { id: ID }).refusal).toBe('forbidden');
    expect(given.when(DeletePurchase, VENDOR, { id: ID }).refusal).toBe('forbidden');
    expect(given.when(DeletePurchase, BOB, { id: 'PurchaseID_none' }).refusal).toBe(
      'purchase-not-found',
    );
    expect(given.when(DeletePurchase, BOB, { id: ID }).answer).toEqual({ id: ID, deleted: true });
    expect(given.state.system_permissions.has('SystemPermissionID_p')).toBe(false);
  });
});

describe('reading purchases', () => {
  it('shows notes and tracer to owner, editors and vendor only', () => {
    const given = drive('VIEW', 'EDIT').given(
      granted('SystemPermissionID_c', 'UserID_carl', 'TABLE_PURCHASES', 'VIEW'),
    );
    const shown = (who: string) =>
      presentPurchase(given.context(who), given.state.purchases.get(ID)!);
    for (const who of [OWNER, BOB, VENDOR])
      expect(shown(who)).toMatchObject({ notes: 'ours', vendor_notes: 'theirs', tracer: 't-1' });
    expect(shown('UserID_carl')).toMatchObject({ notes: '', vendor_notes: '', tracer: null });
  });

  it('is allowed to holders of VIEW, and to the vendor', () => {
    const may = (given: SpecDrive, who: string) =>
      purchaseReads.mayRead(given.context(who), given.state.purchases.get(ID)!);
    expect([may(drive(), VENDOR), may(drive(), BOB), may(drive('VIEW'), BOB)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(may(drive('CREATE', 'EDIT', 'DELETE', 'INVITE'), BOB)).toBe(false);
    expect(purchaseReads.visible(drive('VIEW').context(BOB))).toBe('all');
    expect(purchaseReads.visible(drive().context(VENDOR))).toEqual([
      { field: 'vendor_id', among: new Set([VENDOR]) },
      { field: 'id', among: new Set() },
    ]);
  });

  it('follows the vendor’s superswap, also among related resources', () => {
    const given = drive().given(
      purchased('PurchaseID_2', { related_resources: ['DiskID_1', VENDOR, BOB] }),
      superswapped(VENDOR, 'UserID_new'),
    );
    expect(given.state.purchases.get(ID)!.vendor_id).toBe('UserID_new');
    expect(given.state.purchases.get('PurchaseID_2')!.related_resources).toEqual([
      'DiskID_1',
      'UserID_new',
      BOB,
    ]);
    expect(given.state.undo_log.referencesTo(VENDOR)).toBe(0);
    expect(given.state.undo_log.referencesTo('UserID_new')).toBe(2);
  });
});
