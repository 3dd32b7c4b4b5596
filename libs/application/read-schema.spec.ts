import { RECORDS } from '../domain/drive/record-kinds.js';
import { READ_SCHEMA } from './read-schema.js';

describe('the schema of the read model', () => {
  it('has the families that lists and searches show, and no working data', () => {
    const families = RECORDS.map(({ definition: { name } }) => name);
    const absent = families.filter((name) => !Object.hasOwn(READ_SCHEMA, name));
    expect(absent).toEqual(['file_versions', 'contents', 'spawned_drives']);
    expect(Object.keys(READ_SCHEMA)).toHaveLength(families.length - absent.length);
  });
});
