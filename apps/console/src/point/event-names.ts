import { texts } from '../texts.js';

/** The name of a family for people. */
export function familyName(family: string): string {
  const names: Readonly<Record<string, string>> = texts.event_families;
  return Object.hasOwn(names, family) ? names[family]! : family;
}

/** The name of a type of events in words: `Group invite redeemed` for `GroupInviteRedeemed`. */
export function kindName(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
