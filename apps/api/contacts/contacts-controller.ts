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
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { CODE, PAGES } from '../phrases.js';
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
  @Operation({
    summary: 'Read a contact',
    description: 'Without the right 403, whether or not there is such a contact.',
    errors: ['permission.denied', 'contact.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('contact_id', new IdPipe('UserID_')) id: string) {
    return this.api.ask(call, GetContact, { id });
  }

  @Post('list')
  @AsOf()
  @ApiData({ list: ContactRecord })
  @Operation({ summary: 'List contacts', description: PAGES })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListContacts, body);
  }

  @Post('create')
  @ApiData(ContactRecord)
  @Operation({
    summary: 'Make a contact',
    description:
      'Seed phrase and entropy derive id and addresses and are then forgotten. The contact joins Group ' +
      'for All. A redeem code is shown to its creator and the owner.',
    errors: ['permission.denied', 'contact.exists', 'user.former-id', 'user.in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateContactBody) {
    return this.api.run(call, createContact, body);
  }

  @Post('update')
  @ApiData(ContactRecord)
  @Operation({
    summary: 'Change a contact',
    description:
      'People may change their own name, avatar, email, notifications_url, public_note and address.',
    errors: ['permission.denied', 'contact.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateContactBody) {
    return this.api.run(call, updateContact, body);
  }

  @Post('delete')
  @ApiData(DeletedRecord)
  @Operation({
    summary: 'Delete a contact',
    description:
      'Its memberships, keys and the grants to it go too; groups it owned pass to the owner.',
    errors: ['permission.denied', 'contact.not-found', 'contact.owner-undeletable'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteContactBody) {
    return this.api.run(call, deleteContact, body);
  }

  @Post('erase')
  @ApiData(ErasedRecord)
  @Operation({
    summary: 'Forget a person',
    description:
      'Owner only. The contact is deleted, and the key that its personal data (name, email, avatar, notes, ' +
      'addresses, urls) lies under is destroyed: it reads [erased] ever after, in every past event and ' +
      'state, in names of keys and in the spawn note that the service copied. The id may be one that the ' +
      'person had before, also of a contact deleted earlier; all keys it ever had go. Hashes, digests and ' +
      'proofs stay valid. Not covered: the user id, what others wrote elsewhere, copies made before.',
    errors: ['permission.denied', 'contact.not-found', 'contact.owner-undeletable'],
  })
  erase(@Call() call: DriveRequest, @Body() body: EraseContactBody) {
    return this.api.run(call, EraseContact, body);
  }

  @Post('redeem')
  @ApiData(RedeemedContact)
  @Operation({
    summary: 'Take over a placeholder contact with its code',
    description:
      `${CODE} The answer holds a key for the new id, shown once. It ends no later than the key that the ` +
      'call was made with.',
    errors: [
      'request.same-user',
      'redeem.code-invalid',
      'contact.exists',
      'user.former-id',
      'user.in-use',
    ],
  })
  redeem(@Call() call: DriveRequest, @Body() body: RedeemContactBody) {
    return this.api.run(call, redeemContact, body);
  }

  @Post('helpers/generate-auto-login-link')
  @ApiRead()
  @ApiData(AutoLoginRecord)
  @Operation({
    summary: 'A link that signs a contact in',
    description: 'Needs a live key of that contact. The link is neither stored nor logged.',
    errors: ['permission.denied', 'contact.not-found', 'api-key.not-found'],
  })
  autoLogin(@Call() call: DriveRequest, @Body() body: AutoLoginBody) {
    return this.api.ask(call, GenerateAutoLoginLink, body);
  }
}
