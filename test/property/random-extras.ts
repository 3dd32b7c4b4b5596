import { RECORD_KINDS } from '../../libs/domain/drive/record-kinds.js';
import { knownDriveCommands } from '../../libs/domain/known-drives/commands.js';
import { labelCommands } from '../../libs/domain/labels/commands.js';
import { purchaseCommands } from '../../libs/domain/purchases/commands.js';
import { PURCHASE_STATUSES } from '../../libs/domain/purchases/record.js';
import type { Means } from './random-means.js';

/** Commands of the families that stand beside the core: labels, known drives and purchases. */
export const extraCommands = { ...labelCommands, ...knownDriveCommands, ...purchaseCommands };

export type ExtraName = keyof typeof extraCommands;

/** More often than others. */
export const FREQUENT_EXTRAS: readonly ExtraName[] = [
  'CreateLabel',
  'PinLabel',
  'PinLabel',
  'CreatePurchase',
];

const VALUES = ['Urgent', 'urgent', 'later', 'paid', 'a-b_c'];
const PRINCIPALS = ['aaaaa-aa', '2vxsx-fae', 'rrkah-fqaaa-aaaaa-aaaaq-cai'];

export function extraCommand(name: ExtraName, means: Means): unknown {
  const { chance, state, note, user, external, chosen, id, fresh } = means;
  const label = () => id(state.labels.ids(), 'LabelID_');
  const purchase = () => id(state.purchases.ids(), 'PurchaseID_');
  const drive = () => id(state.drives.ids(), 'DriveID_');
  switch (name) {
    case 'CreateLabel':
      return {
        ...chosen('LabelID_'),
        value: chance.once(2) ? chance.of(VALUES) : fresh('label-'),
        ...external,
        fresh: { label_id: fresh('LabelID_') },
      };
    case 'UpdateLabel':
      return {
        id: label(),
        ...chance.maybe('value', chance.of(VALUES)),
        ...chance.maybe('private_note', note()),
      };
    case 'DeleteLabel':
      return { id: label() };
    case 'PinLabel': {
      const [prefix, { definition }] = chance.of([...RECORD_KINDS.by_prefix]);
      const resource_id = id(state.table(definition.name)!.ids(), prefix);
      return { label_id: label(), resource_id, add: !chance.once(3) };
    }
    case 'CreateKnownDrive':
      return {
        ...chosen('DriveID_'),
        name: fresh('Drive '),
        icp_principal: chance.of(PRINCIPALS),
        ...chance.maybe('email', note()),
        ...external,
      };
    case 'UpdateKnownDrive':
      return {
        id: drive(),
        ...chance.maybe('name', fresh('Renamed ')),
        ...chance.maybe('email', note()),
        ...chance.maybe('host_url', null),
      };
    case 'DeleteKnownDrive':
      return { id: drive() };
    case 'CreatePurchase':
      return {
        ...chosen('PurchaseID_'),
        title: fresh('Purchase '),
        ...chance.maybe('vendor_id', user()),
        ...chance.maybe('related_resources', [user(), user(), 'DiskID_1']),
        ...chance.maybe('notes', note()),
        ...external,
        fresh: { purchase_id: fresh('PurchaseID_') },
      };
    case 'UpdatePurchase':
      return {
        id: purchase(),
        ...chance.maybe('status', chance.of(PURCHASE_STATUSES)),
        ...chance.maybe('title', fresh('Renamed ')),
        ...chance.maybe('vendor_id', chance.of([null, user()])),
      };
    case 'DeletePurchase':
      return { id: purchase() };
  }
}
