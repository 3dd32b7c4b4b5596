import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, REPOSITORY, section } from './markdown.js';

const FOLDERS = ['libs/mongodb', 'libs/event-store/mongodb', 'libs/read-model/mongodb'];

/** Methods of the driver by which collections and databases are asked, and the command that each sends. */
const COMMANDS: Readonly<Record<string, string>> = {
  ...{ find: 'find', findOne: 'find', countDocuments: 'aggregate', distinct: 'distinct' },
  ...{ insertOne: 'insert', insertMany: 'insert', bulkWrite: 'update', updateOne: 'update' },
  ...{ updateMany: 'update', replaceOne: 'update', deleteOne: 'delete', deleteMany: 'delete' },
  ...{ findOneAndUpdate: 'findAndModify', findOneAndReplace: 'findAndModify' },
  ...{ findOneAndDelete: 'findAndModify', aggregate: 'aggregate', createIndex: 'createIndexes' },
  ...{ indexes: 'listIndexes', listCollections: 'listCollections', dropCollection: 'drop' },
};

describe('what docs/read-model-mongodb.md says is asked of MongoDB', () => {
  const listed = section(read('docs/read-model-mongodb.md'), '## What is asked of MongoDB');
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => read(join(folder, file))),
  ).join('\n');
  const isListed = (name: string): boolean => listed.includes(`\`${name}\``);

  it('names every operator in use', () => {
    // Not paths of fields, which stand as values.
    const operators = new Set(sources.match(/(?<![\w.`]|: ')\$[a-z]+[A-Za-z]*(?=['":])/g));
    expect(operators.size).toBeGreaterThan(15);
    expect([...operators].filter((name) => !isListed(name))).toEqual([]);
  });

  it('names the command of every method in use, and no other', () => {
    const used = Object.keys(COMMANDS).filter((method) => sources.includes(`.${method}(`));
    const commands = new Set(used.map((method) => COMMANDS[method]!));
    expect(commands.size).toBeGreaterThan(8);
    expect([...commands].filter((name) => !isListed(name))).toEqual([]);
    const others = ['mapReduce', 'watch', 'startSession', 'withTransaction', 'runCommand'];
    expect(others.filter((method) => sources.includes(`.${method}(`))).toEqual([]);
    for (const option of ['collation', 'partialFilterExpression', 'allowDiskUse', '$where'])
      expect([option, sources.includes(option)]).toEqual([option, false]);
  });
});
