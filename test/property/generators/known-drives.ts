import type { knownDriveCommands } from '../../../libs/domain/known-drives/commands.js';
import type { MakersOf } from './maker.js';
import type { Means } from './means.js';

const PRINCIPALS = ['aaaaa-aa', '2vxsx-fae', 'rrkah-fqaaa-aaaaa-aaaaq-cai'];

const drive = ({ state, id }: Means) => id(state.drives.ids(), 'DriveID_');

export const knownDriveMakers: MakersOf<typeof knownDriveCommands> = {
  CreateKnownDrive: ({ chance, external, note, fresh, chosen }) => ({
    ...chosen('DriveID_'),
    name: fresh('Drive '),
    icp_principal: chance.of(PRINCIPALS),
    ...chance.maybe('email', note()),
    ...external,
  }),
  UpdateKnownDrive: (means) => {
    const { chance, note, fresh } = means;
    return {
      id: drive(means),
      ...chance.maybe('name', fresh('Renamed ')),
      ...chance.maybe('email', note()),
      ...chance.maybe('host_url', null),
    };
  },
  DeleteKnownDrive: (means) => ({ id: drive(means) }),
};
