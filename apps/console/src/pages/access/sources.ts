import type { Source } from '../../api/answers.js';

export type Because = Readonly<Record<string, readonly Source[]>>;

export interface TypesOfSource {
  readonly source: Source;
  readonly types: readonly string[];
}

/** Tells the sources of an answer apart. */
export function keyOf({ permission_id, via, invite_id }: Source): string {
  return `${permission_id} ${via} ${invite_id}`;
}

/** The sources of an answer, each once, in the order of the types. */
export function sourcesOf(because: Because): TypesOfSource[] {
  const found = new Map<string, { source: Source; types: string[] }>();
  for (const [type, sources] of Object.entries(because))
    for (const source of sources) {
      const key = keyOf(source);
      const known = found.get(key);
      if (known) known.types.push(type);
      else found.set(key, { source, types: [type] });
    }
  return [...found.values()];
}
