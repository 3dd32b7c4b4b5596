import type { CommandDefinition, GeneratingCommand } from '../foundation/decision.js';
import { GIFTCARD_ID } from './record.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreateGiftcard, DeleteGiftcard, RedeemGiftcard, UpdateGiftcard } from './commands.js';
import { createGiftcard, deleteGiftcard, redeemGiftcard, updateGiftcard } from './decide.js';
import { type GiftcardView, presentGiftcard } from './view.js';

export const giftcardCommands = {
  CreateGiftcard: {
    name: 'CreateGiftcard',
    decide: createGiftcard,
    generate: (fresh) => ({ giftcard_id: fresh.id(GIFTCARD_ID) }),
    answer(context, _, events) {
      const { giftcard_id } = bodyOf(events, 'GiftcardCreated')!;
      return presentGiftcard(context, context.state.giftcards.get(giftcard_id)!);
    },
  } satisfies GeneratingCommand<CreateGiftcard, GiftcardView>,

  UpdateGiftcard: {
    name: 'UpdateGiftcard',
    decide: updateGiftcard,
    answer: (context, { id }) => presentGiftcard(context, context.state.giftcards.get(id)!),
  } satisfies CommandDefinition<UpdateGiftcard, GiftcardView>,

  DeleteGiftcard: deletion<DeleteGiftcard>('DeleteGiftcard', deleteGiftcard),

  RedeemGiftcard: {
    name: 'RedeemGiftcard',
    decide: redeemGiftcard,
    answer: (_, { drive_id }) => ({ drive_id }),
  } satisfies CommandDefinition<RedeemGiftcard, { drive_id: string }>,
};
