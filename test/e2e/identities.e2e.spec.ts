import { isValidSeedPhrase } from '../../libs/identity/derive.js';
import { Client, type Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

const PATH = 'helpers/generate-crypto-identity';
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('generate-crypto-identity, over HTTP', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
  });
  afterAll(() => service.stop());

  describe.each([
    ['of an organization', () => org.members[0]!, `/contacts/${PATH}`],
    ['of the factory', () => service.client(), `/v1/factory/${PATH}`],
  ])('%s', (_, caller, path) => {
    const generate = (body?: unknown) => caller().post(path, body);

    it('derives what a phrase stands for', async () => {
      const { status, data } = await generate({ seed_phrase: PHRASE });
      expect(status).toBe(200);
      expect(data).toEqual({
        user_id: `UserID_${data.icp_principal}`,
        icp_principal: expect.stringMatching(/^[a-z0-9-]{63}$/),
        evm_public_key: '0x58A57ed9d8d624cBD12e2C467D34787555bB1b25',
        evm_private_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        origin: { secret_entropy: null, seed_phrase: PHRASE },
      });
      expect((await generate({ seed_phrase: PHRASE })).data).toEqual(data);
    });

    it('derives the same from entropy as from the phrase that follows from it', async () => {
      const secret_entropy = 'e'.repeat(256);
      const { data } = await generate({ secret_entropy });
      expect(data.origin.secret_entropy).toBe(secret_entropy);
      const { seed_phrase } = data.origin;
      expect(seed_phrase.split(' ')).toHaveLength(24);
      const again = await generate({ seed_phrase });
      expect(again.data).toEqual({ ...data, origin: { secret_entropy: null, seed_phrase } });
    });

    it('generates a random identity without input, and answers with its phrase', async () => {
      const { data } = await generate();
      const { seed_phrase, secret_entropy } = data.origin;
      expect([seed_phrase.split(' ').length, secret_entropy]).toEqual([12, null]);
      expect(isValidSeedPhrase(seed_phrase)).toBe(true);
      expect((await generate({ seed_phrase })).data.user_id).toBe(data.user_id);
      expect((await generate({ seed_phrase: null })).data.user_id).not.toBe(data.user_id);
    });

    it('derives the same identity from a secret as quickstart and contacts', async () => {
      const secret_entropy = `shared by ${path}`;
      const { data } = await generate({ secret_entropy });
      const contact = await org.admin.post('/contacts/create', { secret_entropy });
      expect(contact.data).toMatchObject({
        id: data.user_id,
        evm_public_address: data.evm_public_key,
      });
    });

    it('refuses 400 invalid phrases, too much entropy, and both together', async () => {
      for (const [body, pointer] of [
        [{ seed_phrase: PHRASE.replace('yellow', 'zoo') }, '/seed_phrase'],
        [{ seed_phrase: '' }, '/seed_phrase'],
        [{ seed_phrase: 'x'.repeat(257) }, '/seed_phrase'],
        [{ secret_entropy: '' }, '/secret_entropy'],
        [{ secret_entropy: 'e'.repeat(257) }, '/secret_entropy'],
        [{ secret_entropy: 'e', seed_phrase: PHRASE }, '/secret_entropy'],
      ] as const) {
        const { status, err } = await generate(body);
        expect([status, err.type, err.details[0].pointer]).toEqual([
          400,
          'request.invalid',
          pointer,
        ]);
      }
    });
  });

  it('leaves no event behind', async () => {
    const { revision } = (await org.admin.post('/organization/replay', { hash: false })).data;
    await org.admin.post(`/contacts/${PATH}`);
    expect((await org.admin.post('/organization/replay', { hash: false })).data.revision).toBe(
      revision,
    );
  });

  it('requires a token for members; for the factory only in closed mode', async () => {
    expect((await org.as().post(`/contacts/${PATH}`)).status).toBe(401);
    const key = 'key-of-the-factory-0123456789-0123456789';
    await service.restart({ FACTORY_FREE_MODE: 'false', FACTORY_KEYS: key });
    const { status, err } = await service.client().post(`/v1/factory/${PATH}`);
    expect([status, err.type]).toEqual([401, 'token.missing']);
    expect((await new Client(service.url, key).post(`/v1/factory/${PATH}`)).status).toBe(200);
  });
});
