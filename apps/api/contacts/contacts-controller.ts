import { Body, Get, Param, Post } from '@nestjs/common';
import { contactReads, contactView } from '../../../libs/domain/contacts/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { CreateContact, RedeemContact } from '../../../libs/application/contacts/contacts.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import {
  contactCommands,
  contactRedemptionView,
  erasedView,
} from '../../../libs/domain/contacts/commands.js';
import { autoLoginView, GenerateAutoLoginLink } from '../../../libs/application/contacts/login.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, ApiRead, Operation, page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  AutoLoginBody,
  CreateContactBody,
  DeleteContactBody,
  EraseContactBody,
  RedeemContactBody,
  UpdateContactBody,
} from './contact-bodies.js';

const eraseContact = driveCommand(contactCommands.EraseContact);
const getContact = getQuery('GetContact', contactReads);
const listContacts = listQuery('ListContacts', contactReads);

const updateContact = driveCommand(contactCommands.UpdateContact);
const deleteContact = driveCommand(contactCommands.DeleteContact);

@DriveController('contacts')
export class ContactsController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:contact_id'), contactView, {
    id: 'getContact',
    summary: 'Read a contact',
    description: 'A caller without permission gets 403 whether or not the contact exists.',
    errors: ['permission.denied', 'contact.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('contact_id', new IdPipe('UserID_')) id: string) {
    return this.api.query(call, getContact, { id });
  }

  @ReadRoute(Post('list'), page(contactView), {
    id: 'listContacts',
    summary: 'List contacts',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listContacts, body);
  }

  @CommandRoute('create', contactView, {
    id: 'createContact',
    summary: 'Create a contact',
    description:
      'The id and the addresses derive from seed_phrase or secret_entropy, which are not stored. The contact ' +
      'joins Group for All. Its creator and the owner can see the redeem code.',
    errors: ['permission.denied', 'contact.exists', 'user.former-id', 'user.in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateContactBody) {
    return this.api.run(call, CreateContact, body);
  }

  @CommandRoute('update', contactView, {
    id: 'updateContact',
    summary: 'Update a contact',
    description:
      'Users may change their own name, avatar, email, notifications_url, public_note and evm_public_address.',
    errors: [
      'permission.denied',
      'contact.not-found',
      'contact.sealed',
      'request.nothing-to-update',
    ],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateContactBody) {
    return this.api.run(call, updateContact, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteContact',
    summary: 'Delete a contact',
    description:
      'Its memberships, API keys and grants are deleted, too. The owner takes over its groups.',
    errors: ['permission.denied', 'contact.not-found', 'contact.owner-undeletable'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteContactBody) {
    return this.api.run(call, deleteContact, body);
  }

  @Post('erase')
  @ApiData(erasedView)
  @Operation({
    id: 'eraseContact',
    summary: "Erase a person's data",
    description:
      'Owner only. The contact is deleted, and the encryption key of its personal data (name, email, avatar, ' +
      'notes, addresses, URLs) is destroyed. The data then reads [erased] in all events and past states, ' +
      'including the copies in API key names and in the spawn note. The id may be a former id, also that of ' +
      'a deleted contact; all encryption keys of the person are destroyed. Hashes, digests and proofs stay ' +
      'valid. Not erased: the user id, texts that other users wrote, and copies made earlier.',
    errors: ['permission.denied', 'contact.not-found', 'contact.owner-undeletable'],
  })
  erase(@Call() call: DriveRequest, @Body() body: EraseContactBody) {
    return this.api.run(call, eraseContact, body);
  }

  @CommandRoute('redeem', contactRedemptionView, {
    id: 'redeemContact',
    summary: 'Redeem a placeholder contact with its code',
    description:
      `Requires a token, and the redeem code in the body. The response contains an API key for the new id, which is shown only once. The key expires ` +
      "no later than the caller's own key.",
    errors: [
      'request.same-user',
      'redeem.code-invalid',
      'contact.exists',
      'contact.sealed',
      'user.former-id',
      'user.in-use',
    ],
  })
  redeem(@Call() call: DriveRequest, @Body() body: RedeemContactBody) {
    return this.api.run(call, RedeemContact, body);
  }

  @Post('helpers/generate-auto-login-link')
  @ApiRead()
  @ApiData(autoLoginView)
  @Operation({
    id: 'createSignInLink',
    summary: 'Create a sign-in link for a contact',
    description: 'Requires a valid API key of that contact. The link is neither stored nor logged.',
    errors: ['permission.denied', 'contact.not-found', 'api-key.not-found'],
  })
  autoLogin(@Call() call: DriveRequest, @Body() body: AutoLoginBody) {
    return this.api.query(call, GenerateAutoLoginLink, body);
  }
}
