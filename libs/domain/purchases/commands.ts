import { PURCHASE_DEFAULTS, PURCHASE_ID, type PurchaseFields } from './record.js';
import { event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { refuse, refuseIdInUse } from '../kernel/refusal.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { presentPurchase } from './reads.js';

/** Commands on purchases. Absent fields get their default (create) or do not change (update). */
export interface CreatePurchase extends Partial<PurchaseFields> {
  id?: string;
  title: string;
  fresh: { purchase_id: string };
}

export interface UpdatePurchase extends Changes<typeof PURCHASE_DEFAULTS> {
  id: string;
  title?: string;
}

/** Fields on the progress of a purchase, which the vendor may change. */
const VENDOR_FIELDS: ReadonlySet<string> = new Set<keyof PurchaseFields>([
  'status',
  'about_url',
  'billing_url',
  'support_url',
  'delivery_url',
  'verification_url',
  'auth_installation_url',
  'vendor_notes',
  'tracer',
  'external_id',
  'external_payload',
]);

export const createPurchase: Decider<CreatePurchase> = (context, command) => {
  const { state } = context;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_PURCHASES');
  if (!allowed) return access.denied();
  if (command.id && state.isUsed(state.purchases, command.id)) return refuseIdInUse();
  return accept(
    allowed,
    event('PurchaseCreated', {
      purchase_id: command.id ?? command.fresh.purchase_id,
      title: command.title,
      ...filled(PURCHASE_DEFAULTS, command),
    }),
  );
};

export const updatePurchase: Decider<UpdatePurchase> = (context, command) => {
  const purchase = context.state.purchases.get(command.id);
  if (!purchase) return refuse('purchase-not-found');
  const fields = changes(PURCHASE_DEFAULTS, command, 'title');
  const is_progress = Object.keys(fields).every((field) => VENDOR_FIELDS.has(field));
  const access = Access.of(context);
  const as_vendor = is_progress ? access.self(purchase.vendor_id) : null;
  const allowed = access.owner() ?? as_vendor ?? access.system('EDIT', purchase.id);
  if (!allowed) return access.denied();
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('PurchaseUpdated', { purchase_id: purchase.id, ...fields }));
};

export const deletePurchase: Decider<ById> = (context, { id }) => {
  if (!context.state.purchases.has(id)) return refuse('purchase-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', id);
  if (!allowed) return access.denied();
  return accept(allowed, event('PurchaseDeleted', { purchase_id: id }));
};

const answers = recordAnswers('purchases', presentPurchase);

export const purchaseCommands = namedCommands({
  CreatePurchase: decidedBy(createPurchase, {
    generate: (fresh) => ({ purchase_id: fresh.id(PURCHASE_ID) }),
    answer: answers.created('PurchaseCreated', 'purchase_id'),
  }),

  UpdatePurchase: answers.update(updatePurchase),

  DeletePurchase: deletion(deletePurchase),
});
