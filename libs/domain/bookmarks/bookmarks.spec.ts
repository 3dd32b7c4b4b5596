import { refuse } from '../kernel/refusal.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { bookmarkCommands } from './commands.js';

const { CreateBookmark, DeleteBookmark } = bookmarkCommands;

describe('bookmarks', () => {
  it('store the given point', () => {
    const drive = new SpecDrive();
    const point = { revision: 0, at_ms: T0 };
    const made = drive.when(CreateBookmark, OWNER, { name: 'start', note: 'spawned', point });
    expect(made.events).toEqual([
      {
        type: 'BookmarkCreated',
        data: { name: 'start', note: 'spawned', created_by: OWNER, point },
      },
    ]);
    expect(made.allowed_by).toEqual(['OWNER']);
    expect(made.answer).toEqual({
      name: 'start',
      ...point,
      note: 'spawned',
      created_by: OWNER,
      created_at: T0 + 1,
    });
  });

  it('store the current point without a given one, just before their own event', () => {
    const drive = new SpecDrive().after(5000);
    const { answer } = drive.when(CreateBookmark, OWNER, { name: 'now' });
    expect(answer).toMatchObject({ revision: 0, at_ms: T0 + 5001, note: '' });
  });

  it('refuse a name in use, and accept it again after a deletion', () => {
    const drive = new SpecDrive();
    drive.when(CreateBookmark, OWNER, { name: 'a' });
    expect(drive.when(CreateBookmark, OWNER, { name: 'a' }).refusal).toBe('bookmark-exists');
    expect(drive.when(DeleteBookmark, OWNER, { name: 'a' }).answer).toEqual({
      name: 'a',
      deleted: true,
    });
    expect(drive.state.bookmarks.size).toBe(0);
    expect(drive.when(CreateBookmark, OWNER, { name: 'a' }).answer).toMatchObject({ revision: 2 });
  });

  it('refuse an invalid point, but check permissions first', () => {
    const drive = new SpecDrive();
    const command = { name: 'a', point: refuse('point-out-of-range') };
    expect(drive.when(CreateBookmark, OWNER, command).refusal).toBe('point-out-of-range');
    expect(drive.when(CreateBookmark, 'UserID_other', command).refusal).toBe('forbidden');
  });

  it('refuse to delete an unknown bookmark, and callers other than the owner', () => {
    const drive = new SpecDrive();
    expect(drive.when(DeleteBookmark, OWNER, { name: 'a' }).refusal).toBe('bookmark-not-found');
    expect(drive.when(DeleteBookmark, 'UserID_other', { name: 'a' }).refusal).toBe('forbidden');
  });
});
