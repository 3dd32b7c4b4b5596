import type { Source } from '../../api/answers.js';
import { RecordLink } from '../../components/record-link.js';
import { Period, periodOf } from '../../time/period.js';
import { texts } from '../../texts.js';

type Because = Readonly<Record<string, readonly Source[]>>;

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

/** Most sources with a sentence of their own; the page of the person and the record has all. */
const MOST_SENTENCES = 5;

/** The sources of what somebody may do, one sentence for each. */
export function Reason({ because }: { readonly because: Because }) {
  const sources = sourcesOf(because);
  const others = sources.length - MOST_SENTENCES;
  return (
    <>
      {sources.slice(0, MOST_SENTENCES).map(({ source }) => (
        <div key={keyOf(source)}>
          <Sentence source={source} />
        </div>
      ))}
      {others > 0 && texts.access.further(others)}
    </>
  );
}

function Sentence({ source }: { readonly source: Source }) {
  const { granted_by, inherited_from } = source;
  return (
    <>
      <Relation source={source} />
      {granted_by && (
        <>
          , {texts.access.granted_by} <RecordLink id={granted_by} />
        </>
      )}
      {inherited_from && (
        <>
          , {texts.access.inherited} <RecordLink id={inherited_from.folder_id} />
        </>
      )}
      <Period {...periodOf(source)} />
    </>
  );
}

/** How a grant concerns somebody. */
function Relation({ source: { via } }: { readonly source: Source }) {
  if (via === 'OWNER') return texts.access.owner;
  if (via === 'PUBLIC') return texts.access.everyone;
  if (via === 'DIRECT') return texts.access.directly;
  return (
    <>
      {texts.access.as_member} <RecordLink id={via} />
    </>
  );
}
