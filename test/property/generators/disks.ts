import type { diskCommands } from '../../../libs/domain/disks/commands.js';
import { DISK_TYPES } from '../../../libs/domain/disks/record.js';
import type { MakersOf } from './maker.js';

const AUTH_JSON =
  '{"endpoint":"https://s3.example","access_key":"a","secret_key":"b","bucket":"c","region":"d"}';

export const diskMakers: MakersOf<typeof diskCommands> = {
  CreateDisk: ({ chance, made, disk, external, chosen }) => ({
    ...chosen('DiskID_'),
    name: `Disk ${made}`,
    disk_type: chance.of([...DISK_TYPES, 'LOCAL_SSD']),
    auth_json: AUTH_JSON,
    ...chance.maybe('keep_versions', chance.of([1, 2])),
    ...external,
    fresh: disk,
  }),
  UpdateDisk: ({ chance, state, made, id, note }) => ({
    id: id(state.disks.ids(), 'DiskID_'),
    name: `Renamed ${made}`,
    ...chance.maybe('public_note', note()),
    ...chance.maybe('auth_json', null),
    ...chance.maybe('keep_versions', chance.of([null, 1, 3])),
    ...chance.maybe('keep_versions_days', chance.of([null, 1])),
  }),
  DeleteDisk: ({ state, id }) => ({ id: id(state.disks.ids(), 'DiskID_') }),
};
