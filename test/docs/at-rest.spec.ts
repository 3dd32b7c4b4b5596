import { eventSchema, eventTypes } from '../../libs/domain/drive/events.js';
import { type EventField, eventFields } from '../support/event-fields.js';
import { read, section, tableRows } from './markdown.js';

// The compiler reads all types of events, which takes long on a busy machine.
/** Fields that may be sealed, in events that leave them in clear: nobody's personal data there. */
const LEFT_IN_CLEAR = ['ApiKeyUpdated name'];

/** Fields that name records, users and hashes: said once, for all families. */
const NAMES_SOMETHING =
  /(?:^|_)(?:id|ids|uuid|by|folder|hash|last4|owner)$|^(?:granted_to|shortcut_to|left_out|slug|alt_index|point|related_resources|permission_types|from_placeholder_\w+|\w+_grants?)$/;

/** Texts and addresses, which people bring. */
const isListed = ({ field, is_text }: EventField): boolean =>
  is_text && (field === 'external_id' || !NAMES_SOMETHING.test(field));

const STORED = ['clear', 'organization', 'person', 'digest'] as const;

describe('what docs/security.md says is stored of events', () => {
  let fields: readonly EventField[];

  beforeAll(() => {
    fields = eventFields();
  });

  it('is asked of every event', () => {
    // An event without a body has no fields.
    const bare = ['OrganizationActivated', 'OwnershipTransferCancelled'];
    const found = new Set(fields.map(({ event }) => event));
    expect(eventTypes().filter((type) => !found.has(type))).toEqual(bare);
    expect(fields.length).toBeGreaterThan(300);
  });

  it('is sealed wherever its type lets it be, and nowhere else', () => {
    const odd = fields.filter(
      ({ is_sealable, stored }) =>
        is_sealable !== (stored === 'organization' || stored === 'person'),
    );
    expect(odd.map(({ event, field }) => `${event} ${field}`)).toEqual(LEFT_IN_CLEAR);
  });

  it('names only fields that exist', () => {
    for (const type of eventTypes()) {
      const { secret = [], personal = [], hidden = [] } = eventSchema(type)!;
      // Some events share what is said of their fields with others of the family.
      const { family } = fields.find(({ event }) => event === type) ?? { family: '' };
      const known = fields.filter((one) => one.family === family).map(({ field }) => field);
      expect(known).toEqual(expect.arrayContaining([...secret, ...personal, ...hidden]));
    }
  });

  it('is each field of each family, in clear or not', () => {
    const families = Map.groupBy(fields, ({ family }) => family);
    const rows = Array.from(families, ([family, own]) => [
      family,
      ...STORED.map((stored) => {
        const names = own
          .filter((one) => one.stored === stored && (stored !== 'clear' || isListed(one)))
          .map(({ field }) => field);
        return [...new Set(names)].sort().join(', ') || '–';
      }),
    ]);
    const wanted = rows
      .filter(([, ...cells]) => cells.some((cell) => cell !== '–'))
      .sort(([one], [other]) => one!.localeCompare(other!));
    expect(tableRows(section(read('docs/security.md'), '## Every field of every event'))).toEqual(
      wanted,
    );
  });
});
