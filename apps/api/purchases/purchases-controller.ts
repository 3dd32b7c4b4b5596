import { Body, Get, Param, Post } from '@nestjs/common';
import { purchaseReads, purchaseView } from '../../../libs/domain/purchases/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { purchaseCommands } from '../../../libs/domain/purchases/commands.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ListBody } from '../platform/requests/fields.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import { CreatePurchaseBody, DeletePurchaseBody, UpdatePurchaseBody } from './purchase-bodies.js';

const getPurchase = getQuery('GetPurchase', purchaseReads);
const listPurchases = listQuery('ListPurchases', purchaseReads);

const createPurchase = driveCommand(purchaseCommands.CreatePurchase);
const updatePurchase = driveCommand(purchaseCommands.UpdatePurchase);
const deletePurchase = driveCommand(purchaseCommands.DeletePurchase);

@DriveController('purchases')
export class PurchasesController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:purchase_id'), purchaseView, {
    id: 'getPurchase',
    summary: 'Read a purchase',
    description: 'Requires the vendor, or VIEW.',
    errors: ['permission.denied', 'purchase.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('purchase_id', new IdPipe('PurchaseID_')) id: string) {
    return this.api.query(call, getPurchase, { id });
  }

  @ReadRoute(Post('list'), page(purchaseView), {
    id: 'listPurchases',
    summary: 'List purchases',
    description: `Callers without VIEW get the purchases whose vendor they are. ${PAGES}`,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listPurchases, body);
  }

  @CommandRoute('create', purchaseView, {
    id: 'createPurchase',
    summary: 'Create a purchase',
    errors: ['permission.denied', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreatePurchaseBody) {
    return this.api.run(call, createPurchase, body);
  }

  @CommandRoute('update', purchaseView, {
    id: 'updatePurchase',
    summary: 'Update a purchase',
    description:
      'The vendor may change status, URLs, vendor_notes, tracer, external_id and external_payload. A call ' +
      'that changes any other field requires EDIT.',
    errors: ['permission.denied', 'purchase.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdatePurchaseBody) {
    return this.api.run(call, updatePurchase, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deletePurchase',
    summary: 'Delete a purchase',
    errors: ['permission.denied', 'purchase.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeletePurchaseBody) {
    return this.api.run(call, deletePurchase, body);
  }
}
