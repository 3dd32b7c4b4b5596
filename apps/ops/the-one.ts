import { EXIT, Failure } from './failure.js';

/**
 * The id of the only record with a name.
 * @param none message if there is none, after option and name
 * @throws Failure if there is none, or several
 */
export function theOne(
  option: string,
  name: string,
  found: readonly { readonly id: string }[],
  none: string,
): string {
  const [first, ...more] = found;
  if (!first) throw new Failure(`${option} ${name} ${none}.`, EXIT.refused);
  if (more.length === 0) return first.id;
  const ids = found.map(({ id }) => id).join(', ');
  throw new Failure(`${option} ${name} is the name of several; give one of ${ids}.`, EXIT.refused);
}
