import fc from 'fast-check';
import { directoryGrant, disk, folder, FOLDER, ROOT } from '../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../testing/drive.js';
import { Access } from './access.js';
import { seesAllChildren, visibleChildren } from './children.js';
import { isExpired } from './resources.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
const USER = 'UserID_a';
const VIEW = { granted_to: USER, permission_types: ['VIEW'] };

/** Mostly plain children: one that differs from the others is found among many. */
const child = fc.record({
  is_sovereign: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
  expires_in_ms: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom(0, 1e6)),
  has_grant: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
  is_elsewhere: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
});

type Child = typeof child extends fc.Arbitrary<infer C> ? C : never;

describe('visibleChildren', () => {
  it.each([
    ['the owner', OWNER, null],
    ['a user with an inheritable grant', USER, { inheritable: true }],
    ['a user with a grant on the folder alone', USER, { inheritable: false }],
  ])('counts what %s may view', (_, who, given) => {
    fc.assert(
      fc.property(fc.array(child, { maxLength: 40 }), (children) => {
        const drive = new SpecDrive().given(disk);
        folder(drive, FOLDER, ROOT);
        folder(drive, 'FolderID_else', ROOT);
        if (given) drive.given(directoryGrant('a', FOLDER, { ...VIEW, ...given }));
        children.forEach((made, nth) => {
          const id = `FolderID_${nth}`;
          folder(drive, id, made.is_elsewhere ? 'FolderID_else' : FOLDER, {
            has_sovereign_permissions: made.is_sovereign,
            expires_at: made.expires_in_ms === null ? -1 : drive.now + made.expires_in_ms,
          });
          if (made.has_grant) drive.given(directoryGrant(`of ${nth}`, id, VIEW));
        });
        const { state } = drive;
        const access = Access.of(drive.context(who));
        const seen = [...state.folders.values()].filter(
          (one) =>
            one.parent_folder_uuid === FOLDER &&
            !isExpired(one, access.now) &&
            access.canDirectory('VIEW', one.id),
        );
        expect(visibleChildren(access, FOLDER).count(state.folders)).toBe(seen.length);
        const inside = children.filter(({ is_elsewhere }) => !is_elsewhere);
        const inherits = who === OWNER || given?.inheritable === true;
        const isOpen = ({ is_sovereign }: Child) => who === OWNER || !is_sovereign;
        const hasExpired = ({ expires_in_ms }: Child) => expires_in_ms === 0;
        expect(seesAllChildren(access, FOLDER)).toBe(
          inherits && inside.every((one) => isOpen(one) && !hasExpired(one)),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
