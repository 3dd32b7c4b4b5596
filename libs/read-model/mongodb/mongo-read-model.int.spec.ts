import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { connection, wire } from '../../../test/servers/mongodb/spec-database.js';
import { Wire } from '../../../test/servers/mongodb/wire.js';
import { SCHEMA, SECRET, TestDrive, clause, manyThings } from '../contract/fixtures.contract.js';
import { agreesWithSlowModel } from '../contract/property.contract.js';
import { readModelContract } from '../read-model.contract.js';
import { MongoReadModel } from './mongo-read-model.js';

// The server for tests has no indexes: it looks at every document again and again.
const BOUNDS = { property_runs: 10, many: 600 };

// Every condition with values is left to the adapter.
const FOUND_HERE = /clause|visib|where|own visibility/;
describeWithMongo(
  'MongoReadModel keeps the contract on its own where a query would be too long',
  () => {
    const cases = readModelContract(BOUNDS).filter(({ name }) => FOUND_HERE.test(name));
    it.each([...cases, agreesWithSlowModel(6)])('$name', async ({ run }) => {
      const kept = run((schema) =>
        MongoReadModel.open(connection.db, schema, { secret: SECRET, most_values: 0 }),
      );
      await expect(kept).resolves.toBeUndefined();
    });
  },
);

describeWithMongo('a schema', () => {
  it('may call no field `id`', async () => {
    const things = { created_at: () => 0, filter_text: () => '', fields: { id: () => '' } };
    await expect(
      MongoReadModel.open(connection.db, { things }, { secret: SECRET }),
    ).rejects.toThrow('always a field');
  });
});

describeWithMongo('MongoReadModel keeps the contract', () => {
  it.each(readModelContract(BOUNDS))('$name', async ({ run }) => {
    const kept = run((schema) => MongoReadModel.open(connection.db, schema, { secret: SECRET }));
    await expect(kept).resolves.toBeUndefined();
  });
});

// Last: of all that the specs above have asked.
describeWithMongo('MongoReadModel asks nothing of MongoDB', () => {
  it('but the commands, options and operators that its documentation lists', async () => {
    const model = await MongoReadModel.open(connection.db, SCHEMA, {
      ...{ secret: SECRET, most_values: 0 },
    });
    await connection.db.collection('read_model').insertOne({});
    await model.dropLeftOvers();
    // More than one batch of what it sifts.
    const drive = await TestDrive.open(model, manyThings(1001));
    expect((await drive.list({ where: [clause('color', 'grey')] })).total).toBe(1001);
    expect(wire.commands).toEqual(Wire.documented('read model'));
    expect(wire.undocumented()).toEqual([]);
  });
});
