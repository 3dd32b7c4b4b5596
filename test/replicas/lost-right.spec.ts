import { jest } from '@jest/globals';
import { CompareAccess } from '../../libs/application/access/past.js';
import { atMoment } from '../../libs/application/access/moments.js';
import { answerNow, type Reader } from '../../libs/application/read-record.js';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { groupCommands } from '../../libs/domain/groups/definitions.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';

const ANN = 'UserID_ann';
const GRANT = 'SystemPermissionID_audit';
const CODE = { code: '', code_digest: '' };
const READER: Reader = { drive_id: DRIVE_A, credential: { kind: 'signature', user_id: ANN } };

describe('the right to ask about others', () => {
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    const fresh = { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann', ...CODE };
    await spec.run(contactCommands.CreateContact, { id: ANN, name: 'Ann', fresh });
    await spec.run(permissionCommands.CreateSystemPermission, {
      resource_id: 'TABLE_AUDIT',
      granted_to: ANN,
      permission_types: ['VIEW'],
      fresh: { permission_id: GRANT, placeholder_id: '', ...CODE },
    });
    await spec.group('Gone', 'GroupID_gone');
    await spec.run(groupCommands.DeleteGroup, { id: 'GroupID_gone' });
  });

  /** What an auditor learns of the owner; `meanwhile` runs while the answer is folded. */
  const ask = (point: object, resource_id: string, meanwhile: () => Promise<unknown>) =>
    answerNow(spec.drives, READER, (context, drive) => {
      const durable = drive.durable.bind(drive);
      drive.durable = async () => {
        drive.durable = durable;
        await meanwhile();
        return durable();
      };
      const about = { grantee_id: OWNER, resource_id };
      return atMoment(spec.drives, drive, context, point, [about], () => 'an answer');
    });
  const revoke = () =>
    spec.run(permissionCommands.DeleteSystemPermission, { permission_id: GRANT });

  it.each([
    ['at a point', { revision: 2 }, OWNER],
    ['about what does not exist any more', {}, 'GroupID_gone'],
  ])(
    '%s is lost with its grant, also while the answer is folded',
    async (_, point, resource_id) => {
      expect(await ask(point, resource_id, async () => {})).toMatchObject({ data: 'an answer' });
      expect(await ask(point, resource_id, revoke)).toMatchObject({
        refusal: { refusal: 'forbidden' },
      });
    },
  );

  it('is lost with its grant, also while a comparison waits until another is answered', async () => {
    const { past_states } = spec.drives;
    const use = past_states.use.bind(past_states);
    const begun = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    jest.spyOn(past_states, 'use').mockImplementation(async (...args) => {
      begun.resolve();
      await resume.promise;
      return use(...args);
    });
    const compare = async () =>
      CompareAccess.answer(spec.drives, READER, {
        ...{ from: { revision: 0 }, to: {} },
        ...{ page_size: 10, direction: 'ASC' as const },
      });
    const before = compare();
    await begun.promise;
    const waiting = compare();
    await revoke();
    resume.resolve();
    expect(await before).toHaveProperty('data.items');
    expect(await waiting).toMatchObject({ refusal: { refusal: 'forbidden' } });
  });
});
