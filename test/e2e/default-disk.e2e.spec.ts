import { Client, organizationOf } from '../support/client.js';
import { put } from '../support/content.js';
import { makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';

const TEXT = Buffer.from('the first content');

describe('the disk of a new organization', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
  });
  afterAll(() => service.stop());

  it('is in the service’s own storage, so that files can be uploaded at once', async () => {
    const { admin, members } = await service.organization('Bob');
    const { data } = await admin.post('/disks/list');
    expect(data.items).toMatchObject([{ name: 'Files', disk_type: 'LOCAL_SSD', used_bytes: 0 }]);
    const [files] = data.items;
    const { id } = await makeFile(members[0]!, files, 'hello.txt');
    expect((await put(members[0]!, id, TEXT)).status).toBe(200);
    const { data: used } = await admin.get(`/disks/get/${files.id}`);
    expect(used.used_bytes).toBe(TEXT.length);
  });

  it('is not created beside one that the quickstart brings', async () => {
    const bundled_default_disk = { name: 'Own', disk_type: 'BROWSER_CACHE' };
    const { data } = await service
      .client()
      .post('/v1/factory/quickstart', { org_name: 'Test Org', bundled_default_disk });
    const { admin } = organizationOf(service.url, data as never);
    expect((await admin.post('/disks/list')).data.items).toMatchObject([{ name: 'Own' }]);
  });

  it('comes with the activation of an organization from a gift card', async () => {
    const { data: card } = await service
      .client()
      .post('/v1/factory/giftcards/spawnorg/create', { external_id: 'card-1' });
    const { data: redeemed } = await service
      .client()
      .post('/v1/factory/giftcards/spawnorg/redeem', {
        giftcard_id: card.id,
        owner_user_id: (await service.organization()).admin.user_id,
      });
    const base = `${service.url}/v1/drive/${redeemed.drive_id}`;
    const { data: opened } = await new Client(base).post('/organization/redeem', {
      redeem_code: redeemed.redeem_code,
    });
    const owner = new Client(base, opened.api_key);
    expect((await owner.post('/disks/list')).data.items).toMatchObject([{ name: 'Files' }]);
  });
});
