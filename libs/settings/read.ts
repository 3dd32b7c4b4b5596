import { validateSync } from 'class-validator';
import { type Default, RAW, SETTING_DEFINITIONS, type SettingDefinition } from './kinds.js';

/** Invalid settings. `problems` has one sentence per variable; so does the message. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads and checks all settings that a class and its base classes declare.
 *
 * @param missing sentences about inconsistent settings; called once each setting is valid by itself
 * @throws SettingsError naming every invalid variable, its value (unless it is a secret) and the allowed values
 */
export function readSettings<T extends object>(
  declaring: new () => T,
  env: Readonly<Record<string, string | undefined>>,
  missing: (settings: T) => readonly string[],
): T {
  const settings = new declaring();
  const raw: Record<string, string> = {};
  Object.defineProperty(settings, RAW, { value: raw, configurable: true });
  for (const definition of SETTING_DEFINITIONS) {
    if (!isOf(definition, settings)) continue;
    const given = env[definition.name]?.trim() ?? '';
    const is_set = given !== '' || (definition.may_be_empty && env[definition.name] !== undefined);
    const found = is_set ? given : defaultText(definition.default, settings);
    raw[definition.property] = found;
    Object.assign(settings, { [definition.property]: definition.parse(found) });
  }
  const problems = validateSync(settings).flatMap((error) =>
    Object.values(error.constraints ?? {}),
  );
  if (problems.length === 0) problems.push(...missing(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  // The raw texts may be secrets and are no longer needed.
  Reflect.deleteProperty(settings, RAW);
  return settings;
}

function defaultText(value: Default, settings: object): string {
  return typeof value === 'string' ? value : value.from({ ...settings });
}

function isOf({ declared_by }: SettingDefinition, settings: object): boolean {
  return Object.prototype.isPrototypeOf.call(declared_by, settings);
}
