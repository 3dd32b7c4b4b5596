import type { Source } from '../../api/answers.js';
import { RecordLink } from '../../components/record-link.js';
import { Period, periodOf } from '../../time/period.js';
import { texts } from '../../texts.js';
import { type Because, keyOf, sourcesOf } from './sources.js';

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
