import type { factoryCommands } from '../../../libs/domain/factory/commands.js';
import type { giftcardCommands } from '../../../libs/domain/giftcards/commands.js';
import type { Excluded, MakersOf } from './maker.js';

const OF_FACTORY: Excluded = { excluded: 'organizations do not take commands of the factory' };

/** Gift cards have a property spec of their own. */
export const factoryMakers: MakersOf<typeof factoryCommands & typeof giftcardCommands> = {
  SpawnDrive: OF_FACTORY,
  NameDrive: OF_FACTORY,
  BeginImport: OF_FACTORY,
  EndImport: OF_FACTORY,
  CreateGiftcard: OF_FACTORY,
  UpdateGiftcard: OF_FACTORY,
  DeleteGiftcard: OF_FACTORY,
  RedeemGiftcard: OF_FACTORY,
};
