import type { CommandDefinition, Context } from '../drive/decision.js';
import type { Deleted } from '../groups/definitions.js';
import { bodyOf, MASKED } from '../kernel/fields.js';
import type {
  CreateContact,
  DeleteContact,
  EndContactCode,
  RedeemContact,
  UpdateContact,
} from './commands.js';
import { createContact, deleteContact, updateContact } from './decide.js';
import { endContactCode, redeemContact } from './redeem.js';
import { type ContactView, presentContact } from './view.js';

export interface ContactRedemption {
  contact: ContactView;
  /** The new key's token, shown only here. */
  api_key: string;
}

function presentById(context: Context, id: string): ContactView {
  return presentContact(context, context.state.contacts.get(id)!);
}

export const contactCommands = {
  CreateContact: {
    name: 'CreateContact',
    decide: createContact,
    answer: (context, _, events) =>
      presentById(context, bodyOf(events, 'ContactCreated')!.contact_id),
  } satisfies CommandDefinition<CreateContact, ContactView>,

  UpdateContact: {
    name: 'UpdateContact',
    decide: updateContact,
    answer: (context, { id }) => presentById(context, id),
  } satisfies CommandDefinition<UpdateContact, ContactView>,

  DeleteContact: {
    name: 'DeleteContact',
    decide: deleteContact,
    answer: (_, { id }) => ({ id, deleted: true }),
  } satisfies CommandDefinition<DeleteContact, Deleted>,

  RedeemContact: {
    name: 'RedeemContact',
    decide: redeemContact,
    answer: (context, { new_user_id, fresh }) => ({
      contact: presentById(context, new_user_id),
      api_key: context.masked ? MASKED : fresh.value,
    }),
  } satisfies CommandDefinition<RedeemContact, ContactRedemption>,

  EndContactCode: {
    name: 'EndContactCode',
    decide: endContactCode,
    answer: () => null,
  } satisfies CommandDefinition<EndContactCode, null>,
};
