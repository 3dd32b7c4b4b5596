import type { purchaseCommands } from '../../../libs/domain/purchases/commands.js';
import { PURCHASE_STATUSES } from '../../../libs/domain/purchases/record.js';
import type { MakersOf } from './maker.js';
import type { Means } from './means.js';

const purchase = ({ state, id }: Means) => id(state.purchases.ids(), 'PurchaseID_');

export const purchaseMakers: MakersOf<typeof purchaseCommands> = {
  CreatePurchase: ({ chance, external, note, user, fresh, chosen }) => ({
    ...chosen('PurchaseID_'),
    title: fresh('Purchase '),
    ...chance.maybe('vendor_id', user()),
    ...chance.maybe('related_resources', [user(), user(), 'DiskID_1']),
    ...chance.maybe('notes', note()),
    ...external,
    fresh: { purchase_id: fresh('PurchaseID_') },
  }),
  UpdatePurchase: (means) => {
    const { chance, user, fresh } = means;
    return {
      id: purchase(means),
      ...chance.maybe('status', chance.of(PURCHASE_STATUSES)),
      ...chance.maybe('title', fresh('Renamed ')),
      ...chance.maybe('vendor_id', chance.of([null, user()])),
    };
  },
  DeletePurchase: (means) => ({ id: purchase(means) }),
};
