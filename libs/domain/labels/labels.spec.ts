import type { SystemType } from '../kernel/permission-types.js';
import { event } from '../foundation/events.js';
import { granted } from '../groups/testing/events.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { labelCommands } from './commands.js';
import { labelReads, labelsBeginning, presentLabel } from './reads.js';

const { CreateLabel, UpdateLabel, DeleteLabel } = labelCommands;
const BOB = 'UserID_bob';
const LABEL = 'LabelID_1';
const fresh = { label_id: LABEL };

const labelled = (label_id: string, value: string) =>
  event('LabelCreated', {
    label_id,
    value,
    public_note: 'for all',
    private_note: 'for editors',
    color: '#ABC',
    created_by: OWNER,
    external_id: null,
    external_payload: null,
  });

const drive = (...types: SystemType[]) =>
  new SpecDrive().given(
    labelled(LABEL, 'urgent'),
    ...(types.length > 0 ? [granted('SystemPermissionID_b', BOB, 'TABLE_LABELS', ...types)] : []),
  );

describe('CreateLabel', () => {
  it('normalizes value and color', () => {
    const given = new SpecDrive();
    const { answer, events } = given.when(CreateLabel, OWNER, {
      value: 'Very-Urgent_1',
      color: '#abCdef',
      fresh,
    });
    expect(events).toEqual([
      event('LabelCreated', {
        label_id: LABEL,
        created_by: OWNER,
        value: 'very-urgent_1',
        color: '#ABCDEF',
        public_note: null,
        private_note: null,
        external_id: null,
        external_payload: null,
      }),
    ]);
    expect(answer).toEqual({
      id: LABEL,
      value: 'very-urgent_1',
      description: null,
      public_note: null,
      private_note: null,
      color: '#ABCDEF',
      created_by: OWNER,
      created_at: T0 + 1,
      last_updated_at: T0 + 1,
      resources: [],
      labels: [],
      external_id: null,
      external_payload: null,
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
    });
  });

  it('uses the default color', () => {
    const { answer } = new SpecDrive().when(CreateLabel, OWNER, { value: 'x', fresh });
    expect(answer!.color).toBe('#3B82F6');
  });

  it('refuses a value in use, case-insensitively', () => {
    const command = { value: 'URGENT', fresh: { label_id: 'LabelID_2' } };
    expect(drive().when(CreateLabel, OWNER, command).refusal).toBe('label-value-in-use');
  });

  it('refuses an id used before, also by a deleted label', () => {
    const given = drive();
    const again = { id: LABEL, value: 'other', fresh };
    expect(given.when(CreateLabel, OWNER, again).refusal).toBe('id-in-use');
    given.when(DeleteLabel, OWNER, { id: LABEL });
    expect(given.when(CreateLabel, OWNER, again).refusal).toBe('id-in-use');
  });

  it('requires CREATE on the table', () => {
    const command = { value: 'other', fresh: { label_id: 'LabelID_2' } };
    expect(drive('VIEW', 'EDIT', 'DELETE').when(CreateLabel, BOB, command).refusal).toBe(
      'forbidden',
    );
    expect(drive('CREATE').when(CreateLabel, BOB, command).allowed_by).toEqual([
      'SystemPermissionID_b',
    ]);
  });
});

describe('UpdateLabel', () => {
  it('changes the given fields and the time', () => {
    const given = drive();
    const { answer } = given.when(UpdateLabel, OWNER, {
      id: LABEL,
      value: 'Later',
      color: '#0af',
      public_note: null,
    });
    expect(answer).toMatchObject({
      value: 'later',
      color: '#0AF',
      description: null,
      private_note: 'for editors',
      created_at: T0 + 1,
      last_updated_at: T0 + 2,
    });
  });

  it('may keep its own value but not use that of another label', () => {
    const given = drive().given(labelled('LabelID_2', 'later'));
    expect(given.when(UpdateLabel, OWNER, { id: LABEL, value: 'URGENT' }).refusal).toBeNull();
    expect(given.when(UpdateLabel, OWNER, { id: LABEL, value: 'later' }).refusal).toBe(
      'label-value-in-use',
    );
  });

  it('checks the permission before it reveals whether the label exists', () => {
    const unknown = { id: 'LabelID_none', value: 'x' };
    expect(drive('VIEW').when(UpdateLabel, BOB, unknown).refusal).toBe('forbidden');
    expect(drive('VIEW').when(UpdateLabel, BOB, { id: LABEL, value: 'x' }).refusal).toBe(
      'forbidden',
    );
    expect(drive('EDIT').when(UpdateLabel, BOB, unknown).refusal).toBe('label-not-found');
    expect(drive('EDIT').when(UpdateLabel, BOB, { id: LABEL }).refusal).toBe('nothing-to-update');
  });
});

describe('DeleteLabel', () => {
  it('requires DELETE before it reveals whether the label exists', () => {
    expect(drive('EDIT').when(DeleteLabel, BOB, { id: LABEL }).refusal).toBe('forbidden');
    expect(drive('EDIT').when(DeleteLabel, BOB, { id: 'LabelID_none' }).refusal).toBe('forbidden');
    const given = drive('DELETE');
    expect(given.when(DeleteLabel, BOB, { id: 'LabelID_none' }).refusal).toBe('label-not-found');
    expect(given.when(DeleteLabel, BOB, { id: LABEL }).answer).toEqual({
      id: LABEL,
      deleted: true,
    });
  });

  it('also deletes the grants on the label, and frees its value', () => {
    const given = drive().given(granted('SystemPermissionID_l', BOB, LABEL, 'VIEW'));
    given.when(DeleteLabel, OWNER, { id: LABEL });
    expect(given.state.system_permissions.has('SystemPermissionID_l')).toBe(false);
    const command = { value: 'urgent', fresh: { label_id: 'LabelID_2' } };
    expect(given.when(CreateLabel, OWNER, command).refusal).toBeNull();
  });
});

describe('reading labels', () => {
  const shown = (given: SpecDrive, who: string) =>
    presentLabel(given.context(who), given.state.labels.get(LABEL)!);

  it('shows the private note to editors and the resources to the owner', () => {
    const given = drive('VIEW', 'EDIT').given(
      granted('SystemPermissionID_c', 'UserID_carl', LABEL, 'VIEW'),
      event('LabelPinned', { label_id: LABEL, resource_id: OWNER }),
    );
    expect(shown(given, OWNER)).toMatchObject({ private_note: 'for editors', resources: [OWNER] });
    expect(shown(given, BOB)).toMatchObject({ private_note: 'for editors', resources: [] });
    expect(shown(given, 'UserID_carl')).toMatchObject({
      description: 'for all',
      public_note: 'for all',
      private_note: null,
      permission_previews: ['VIEW'],
    });
  });

  it('finds a label by id or case-insensitive value, and requires VIEW on the table for unknown values', () => {
    const given = drive().given(granted('SystemPermissionID_c', BOB, LABEL, 'VIEW'));
    const context = given.context(BOB);
    for (const id_or_value of [LABEL, 'urgent', 'URGENT'])
      expect(labelReads.idOf!(context, id_or_value)).toBe(LABEL);
    expect(labelReads.mayAsk!(context, LABEL)).toBe(true);
    expect(labelReads.mayAsk!(context, 'unknown')).toBe(false);
    expect(labelReads.mayAsk!(drive('VIEW').context(BOB), 'unknown')).toBe(true);
  });

  it('finds labels by a prefix of their value', () => {
    const given = drive().given(labelled('LabelID_2', 'urge'), labelled('LabelID_3', 'later'));
    const ids = (prefix: string) => [...labelsBeginning(given.context(OWNER), prefix).among];
    expect(ids('URG')).toEqual([LABEL, 'LabelID_2']);
    expect(ids('rge')).toEqual([]);
  });
});
