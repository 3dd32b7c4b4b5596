import type { Deleted } from '../../domain/foundation/deleted.js';
import { PURCHASE_ID } from '../../domain/purchases/record.js';
import type {
  CreatePurchase as CreatePurchaseCommand,
  UpdatePurchase as UpdatePurchaseCommand,
} from '../../domain/purchases/commands.js';
import { purchaseCommands } from '../../domain/purchases/definitions.js';
import { purchaseReads } from '../../domain/purchases/reads.js';
import type { PurchaseView } from '../../domain/purchases/view.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

export class CreatePurchase extends DriveCommand<
  Omit<CreatePurchaseCommand, 'fresh'>,
  PurchaseView
> {}
export class UpdatePurchase extends DriveCommand<UpdatePurchaseCommand, PurchaseView> {}
export class DeletePurchase extends DriveCommand<{ id: string }, Deleted> {}

export class GetPurchase extends DriveQuery<{ id: string }, PurchaseView> {}
export class ListPurchases extends DriveQuery<ListInput, ListPage<PurchaseView>> {}

export const purchaseHandlers = [
  driveCommandHandler(CreatePurchase, purchaseCommands.CreatePurchase, (input) => ({
    ...input,
    fresh: { purchase_id: fresh.id(PURCHASE_ID) },
  })),
  driveCommandHandler(UpdatePurchase, purchaseCommands.UpdatePurchase, (input) => input),
  driveCommandHandler(DeletePurchase, purchaseCommands.DeletePurchase, (input) => input),
  driveQueryHandler(GetPurchase, (drives, reader, { id }) =>
    readRecord(drives, purchaseReads, reader, id),
  ),
  driveQueryHandler(ListPurchases, (drives, reader, input) =>
    listRecords(drives, purchaseReads, reader, input),
  ),
];
