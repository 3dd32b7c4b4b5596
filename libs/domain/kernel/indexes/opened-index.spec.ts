import { newDriveState } from '../../drive/state.js';
import type { DriveState } from '../../foundation/state.js';
import type { Contact } from '../../contacts/record.js';
import { bareContact } from '../../relations/bare-contact.js';
import { OpenedIndex } from './opened-index.js';
import { Box, type Opener, type Sealed, SEALED } from '../sealed.js';

describe('an index over a sealed field', () => {
  let state: DriveState;
  let opened: number;
  let index: OpenedIndex<Contact>;
  let known: boolean;

  const open: Opener = <T>(value: Sealed<T>): T => {
    opened += 1;
    if (!(value instanceof Box)) return value;
    return (known ? value.text : SEALED) as T;
  };
  const put = (id: string, external_id: Sealed<string | null>): void =>
    state.contacts.put({ ...bareContact(id, `key of ${id}`, 0), external_id });
  const box = (text: string): Box => new Box('key', text);
  const found = (value: string): string[] =>
    index
      .upToDate()
      .where(value)
      .map(({ id }) => id)
      .sort();

  beforeEach(() => {
    state = newDriveState('DriveID_a');
    opened = 0;
    known = true;
    index = new OpenedIndex(state.contacts, 'external_id', open);
  });

  it('finds sealed values but not clear ones', () => {
    put('a', box('one'));
    put('b', box('one'));
    put('c', 'one');
    put('d', null);
    expect([found('one'), found('two'), found('')]).toEqual([['a', 'b'], [], []]);
  });

  it('follows changes without decrypting unchanged values again', () => {
    for (let nth = 0; nth < 300; nth++) put(`n${nth}`, box(`value ${nth}`));
    expect(found('value 299')).toEqual(['n299']);
    expect(opened).toBe(300);
    put('n299', box('other'));
    put('n1', null);
    put('n2', 'value 2');
    state.contacts.remove('n3');
    expect([found('value 299'), found('other')]).toEqual([[], ['n299']]);
    expect([found('value 1'), found('value 2'), found('value 3')]).toEqual([[], [], []]);
    expect(opened).toBe(301);
  });

  it('follows more changes than the table remembers, including rollbacks', () => {
    put('a', box('one'));
    state.undo_log.forget();
    expect(found('one')).toEqual(['a']);
    for (let nth = 0; nth < 500; nth++) put(`n${nth}`, box('many'));
    put('a', box('two'));
    expect([found('one'), found('two'), found('many').length]).toEqual([[], ['a'], 500]);
    state.undo_log.undoTo(0);
    expect([found('one'), found('two'), found('many')]).toEqual([['a'], [], []]);
  });

  it('catches up in turns; a query completes the rest', () => {
    for (let nth = 0; nth < 600; nth++) put(`n${nth}`, box(`value ${nth}`));
    const turns = index.catchUp();
    turns.next();
    expect(opened).toBe(250);
    put('n0', box('changed'));
    turns.next();
    expect(opened).toBe(500);
    expect([found('value 0'), found('changed'), found('value 599')]).toEqual([
      [],
      ['n0'],
      ['n599'],
    ]);
    expect(turns.next().done).toBe(true);
  });

  it('finds values whose key arrives later, and nothing by their placeholder', () => {
    known = false;
    put('a', box('one'));
    expect([found('one'), found(SEALED)]).toEqual([[], []]);
    known = true;
    expect(found('one')).toEqual(['a']);
  });
});
