import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateContact,
  DeleteContact,
  EraseContact,
  GenerateAutoLoginLink,
  GetContact,
  ListContacts,
  RedeemContact,
  UpdateContact,
} from '../../../libs/application/contacts/contacts.js';
import { cleared } from '../cleared.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { operation } from '../drive/operation.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DeletedRecord, ErasedRecord } from '../records/deleted.js';
import {
  AutoLoginBody,
  CreateContactBody,
  DeleteContactBody,
  EraseContactBody,
  RedeemContactBody,
  UpdateContactBody,
} from './contact-bodies.js';
import { AutoLoginRecord, ContactRecord, RedeemedContact } from './contact-record.js';

const createContact = operation('contacts/create', CreateContactBody, CreateContact);
const updateContact = operation('contacts/update', UpdateContactBody, UpdateContact, (body) => {
  const texts = cleared(body, 'avatar', 'notifications_url', 'email', 'evm_public_address');
  return cleared(texts, 'public_note', 'private_note');
});
const deleteContact = operation('contacts/delete', DeleteContactBody, DeleteContact);
const redeemContact = operation('contacts/redeem', RedeemContactBody, RedeemContact);

@ApiTags('contacts')
@Controller('v1/drive/:organization_id/contacts')
@UseGuards(DriveGuard)
export class ContactsController {
  constructor(private readonly api: DriveApi) {}

  @Get('get/:contact_id')
  @AsOf()
  @ApiData(ContactRecord)
  @ApiErrors('permission.denied', 'contact.not-found')
  get(@Call() call: DriveRequest, @Param('contact_id', new IdPipe('UserID_')) id: string) {
    return this.api.ask(call, GetContact, { id });
  }

  @Post('list')
  @AsOf()
  @ApiData({ list: ContactRecord })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListContacts, body);
  }

  @Post('create')
  @ApiData(ContactRecord)
  @ApiErrors('permission.denied', 'contact.exists', 'user.former-id', 'user.in-use')
  create(@Call() call: DriveRequest, @Body() body: CreateContactBody) {
    return this.api.run(call, createContact, body);
  }

  @Post('update')
  @ApiData(ContactRecord)
  @ApiErrors('permission.denied', 'contact.not-found', 'request.nothing-to-update')
  update(@Call() call: DriveRequest, @Body() body: UpdateContactBody) {
    return this.api.run(call, updateContact, body);
  }

  @Post('delete')
  @ApiData(DeletedRecord)
  @ApiErrors('permission.denied', 'contact.not-found', 'contact.owner-undeletable')
  delete(@Call() call: DriveRequest, @Body() body: DeleteContactBody) {
    return this.api.run(call, deleteContact, body);
  }

  @Post('erase')
  @ApiData(ErasedRecord)
  @ApiErrors('permission.denied', 'contact.not-found', 'contact.owner-undeletable')
  erase(@Call() call: DriveRequest, @Body() body: EraseContactBody) {
    return this.api.run(call, EraseContact, body);
  }

  @Post('redeem')
  @ApiData(RedeemedContact)
  @ApiErrors(
    'request.same-user',
    'redeem.code-invalid',
    'contact.exists',
    'user.former-id',
    'user.in-use',
  )
  redeem(@Call() call: DriveRequest, @Body() body: RedeemContactBody) {
    return this.api.run(call, redeemContact, body);
  }

  @Post('helpers/generate-auto-login-link')
  @ApiRead()
  @ApiData(AutoLoginRecord)
  @ApiErrors('permission.denied', 'contact.not-found', 'api-key.not-found')
  autoLogin(@Call() call: DriveRequest, @Body() body: AutoLoginBody) {
    return this.api.ask(call, GenerateAutoLoginLink, body);
  }
}
