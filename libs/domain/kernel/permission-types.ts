/** Directory permission types, in the order of all answers. */
export const DIRECTORY_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'] as const;
export type DirectoryType = (typeof DIRECTORY_TYPES)[number];

/** System permission types, in the order of all answers. */
export const SYSTEM_TYPES = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'] as const;
export type SystemType = (typeof SYSTEM_TYPES)[number];

/** The given types, each once, in the order of `all`. */
export function inOrder<Type extends string>(
  all: readonly Type[],
  given: readonly Type[],
): readonly Type[] {
  return all.filter((type) => given.includes(type));
}
