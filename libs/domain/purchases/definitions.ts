import type { CommandDefinition, Context, GeneratingCommand } from '../foundation/decision.js';
import { PURCHASE_ID } from './record.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreatePurchase, DeletePurchase, UpdatePurchase } from './commands.js';
import { createPurchase, deletePurchase, updatePurchase } from './decide.js';
import { presentPurchase, type PurchaseView } from './view.js';

function presentById(context: Context, id: string): PurchaseView {
  return presentPurchase(context, context.state.purchases.get(id)!);
}

export const purchaseCommands = {
  CreatePurchase: {
    name: 'CreatePurchase',
    decide: createPurchase,
    generate: (fresh) => ({ purchase_id: fresh.id(PURCHASE_ID) }),
    answer: (context, _, events) =>
      presentById(context, bodyOf(events, 'PurchaseCreated')!.purchase_id),
  } satisfies GeneratingCommand<CreatePurchase, PurchaseView>,

  UpdatePurchase: {
    name: 'UpdatePurchase',
    decide: updatePurchase,
    answer: (context, { id }) => presentById(context, id),
  } satisfies CommandDefinition<UpdatePurchase, PurchaseView>,

  DeletePurchase: deletion<DeletePurchase>('DeletePurchase', deletePurchase),
};
