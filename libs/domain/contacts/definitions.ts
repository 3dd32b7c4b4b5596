import type { CommandDefinition, Context, GeneratingCommand } from '../foundation/decision.js';
import { freshApiKey } from '../api-keys/commands.js';
import { PREFIX } from '../kernel/ids.js';
import { deletedView, deletion } from '../foundation/deleted.js';
import { bodyOf, MASKED } from '../kernel/fields.js';
import type {
  CreateContact,
  DeleteContact,
  EndContactCode,
  EraseContact,
  RedeemContact,
  UpdateContact,
} from './commands.js';
import { createContact, deleteContact, eraseContact, updateContact } from './decide.js';
import { endContactCode, redeemContact } from './redeem.js';
import { type ContactView, contactView, presentContact } from './view.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

/** The answer of an erasure. */
export const erasedView = view('Erased', {
  ...deletedView.members,
  erased: flag<true>({ example: true }),
});
export type Erased = Shown<typeof erasedView>;

export const contactRedemptionView = view('RedeemedContact', {
  contact: contactView,
  api_key: text('A key of the contact, shown only here'),
});
export type ContactRedemption = Shown<typeof contactRedemptionView>;

function presentById(context: Context, id: string): ContactView {
  return presentContact(context, context.state.contacts.get(id)!);
}

/** The context for the answer: a placeholder that redeemed itself with its own key sees it as the new user. */
function swappedCaller(context: Context, command: RedeemContact): Context {
  const { caller } = context;
  if (caller.user_id !== command.current_user_id) return context;
  return { ...context, caller: { ...caller, user_id: command.new_user_id } };
}

export const contactCommands = {
  CreateContact: {
    name: 'CreateContact',
    decide: createContact,
    generate: (fresh) => ({
      subject_key_id: fresh.subjectKey(),
      invite_id: fresh.id(PREFIX.invite),
      ...fresh.code(),
    }),
    answer: (context, _, events) =>
      presentById(context, bodyOf(events, 'ContactCreated')!.contact_id),
  } satisfies GeneratingCommand<CreateContact, ContactView>,

  UpdateContact: {
    name: 'UpdateContact',
    decide: updateContact,
    answer: (context, { id }) => presentById(context, id),
  } satisfies CommandDefinition<UpdateContact, ContactView>,

  DeleteContact: deletion<DeleteContact>('DeleteContact', deleteContact),

  EraseContact: {
    name: 'EraseContact',
    decide: eraseContact,
    answer: (_, { id }) => ({ id, deleted: true, erased: true }),
  } satisfies CommandDefinition<EraseContact, Erased>,

  RedeemContact: {
    name: 'RedeemContact',
    decide: redeemContact,
    generate: freshApiKey,
    answer: (context, command) => ({
      contact: presentById(swappedCaller(context, command), command.new_user_id),
      api_key: context.masked ? MASKED : command.fresh.value,
    }),
  } satisfies GeneratingCommand<RedeemContact, ContactRedemption>,

  EndContactCode: {
    name: 'EndContactCode',
    decide: endContactCode,
    answer: () => null,
  } satisfies CommandDefinition<EndContactCode, null>,
};
