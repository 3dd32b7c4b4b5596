import { OWNER, SpecDrive } from '../testing/drive.js';
import { KnownVisibility } from './known-visibility.js';

it('a visibility that rests on a family which is not there is a bug, not one that never changes', () => {
  const known = new KnownVisibility({ visible: () => 'all', rests_on: ['group'] });
  const context = new SpecDrive().context(OWNER);
  expect(() => known.visible(context)).toThrow('family group');
});
