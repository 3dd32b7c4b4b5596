import { groupInviteReads } from '../groups/invites-reads.js';
import { resourceGrantReads } from '../permissions/reads.js';
import { SpecDrive } from '../testing/drive.js';

describe.each([groupInviteReads, resourceGrantReads])(
  'a list of all there is in one place',
  (reads) => {
    it('shows each record to all callers who may see its place, in agreement with `visible`', () => {
      const drive = new SpecDrive();
      const context = drive.context('UserID_nobody');
      expect(reads.visible(context)).toBe('all');
      expect(reads.mayRead(context, {} as never)).toBe(true);
    });
  },
);
