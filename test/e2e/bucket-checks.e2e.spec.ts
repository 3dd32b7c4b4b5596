import { jest } from '@jest/globals';
import { ObjectChecks } from '../../libs/application/directory/object-checks.js';
import { BUCKET, makeDisk, makeFile } from '../support/directory.js';
import { TestService } from '../support/service.js';

describe('checks of uploads to buckets', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it('ask once for each object of a request', async () => {
    // Requests go to two processes, of which this test sees one.
    if (service.server.stores.on_server) return;
    const { admin, ...org } = await service.organization();
    const auth_json = JSON.stringify(BUCKET);
    const disk = await makeDisk({ admin, ...org }, { disk_type: 'AWS_BUCKET', auth_json });
    const [one, other] = [await makeFile(admin, disk, 'a'), await makeFile(admin, disk, 'b')];
    const checks = service.server.app.get(ObjectChecks, { strict: false });
    const check = jest.spyOn(checks, 'check').mockImplementation(async ({ object_key }) => ({
      ...{ object_key, size: 7, sha256: null, media_type: null },
    }));
    const completed = ({ id }: { id: string }) => ({
      action: 'UPDATE_FILE',
      payload: { id, upload_status: 'COMPLETED' },
    });
    const actions = [one, other, one, one].map(completed);
    const { body } = await admin.post('/directory/action', { actions });
    expect(check).toHaveBeenCalledTimes(2);
    expect(body).toHaveLength(4);
    for (const { response } of body)
      expect(response.result.file).toMatchObject({ upload_status: 'COMPLETED', file_size: 7 });
  });
});
