import { OWNER, SpecDrive } from '../testing/drive.js';
import { KnownVisibility } from './known-visibility.js';

it('throws for a visibility that depends on an unknown family', () => {
  const known = new KnownVisibility({ visible: () => 'all', rests_on: ['group'] });
  const context = new SpecDrive().context(OWNER);
  expect(() => known.visible(context)).toThrow('family group');
});
