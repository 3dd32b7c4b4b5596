import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { joined } from '../../domain/groups/testing/events.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { repeating } from '../../read-model/memory/testing/repeating.js';
import { type ReadModelSchema, RepeatQuery } from '../../read-model/port.js';
import { ROLES } from '../drives/role.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { MemoryVault } from '../testing/memory-vault.js';
import { Gate } from '../testing/faulty-events.js';

const MEMBERS = 100;

const NAMED = {
  created_at: (record: object) => (record as { created_at: number }).created_at,
  filter_text: (record: object) => (record as { name: string }).name,
  fields: {},
};
const schema: ReadModelSchema = { contacts: NAMED, api_keys: NAMED };

/** A vault that holds up its readers when told to. */
class SpecVault extends MemoryVault {
  gate: Gate | null = null;

  override async get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined> {
    await this.gate?.pass();
    return super.get(drive_id, key_id);
  }
}

/** Members join, each with an API key of the same name. */
const Join: CommandDefinition<{ members: readonly string[] }, null> = {
  name: 'Join',
  decide: (_, { members }) => accept(['OWNER'], ...members.map((of) => joined(of))),
  answer: () => null,
};

describe('the index of names that are sealed', () => {
  let vault: SpecVault;
  let spec: EngineSpec;

  beforeEach(async () => {
    vault = new SpecVault();
    spec = new EngineSpec({
      schema,
      side: Object.assign(new MemorySideStores(), { keys: vault }),
    });
    await spec.spawn();
    const members = Array.from({ length: MEMBERS }, (_, nth) => `member-${nth}`);
    await spec.run(Join, { members });
  });

  const readsOf = async (on: EngineSpec) => (await on.drives.open(DRIVE_A)).reads!;
  const query = (family: string, text: string) =>
    ({ family, direction: 'ASC', page_size: 10, visible: 'all', filter: { text } }) as const;
  const totalOf = async (on: EngineSpec, family: string, text: string): Promise<number> =>
    (await repeating(await readsOf(on)).list(DRIVE_A, query(family, text))).total;

  it('has names of other processes that were indexed before their keys were known', async () => {
    const other = await spec.beside({ role: ROLES.indexing_replica, schema });
    const reads = await readsOf(other);
    // It reads the event, of which nobody tells it.
    other.drives.catch_up.note = () => {};
    await spec.run(Join, { members: ['zoe'] });
    vault.gate = new Gate();
    const following = (await other.drives.open(DRIVE_A)).follow();
    await vault.gate.reached;
    await expect(reads.list(DRIVE_A, query('contacts', 'zoe'))).rejects.toThrow(RepeatQuery);
    vault.gate.open();
    await following;
    expect(await totalOf(other, 'contacts', 'zoe')).toBe(1);
    await other.drives.close();
  });
});
