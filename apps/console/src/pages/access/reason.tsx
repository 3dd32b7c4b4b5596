import type { Source } from '../../api/answers.js';
import { RecordLink } from '../../components/record-link.js';
import { Period, periodOf } from '../../time/period.js';
import { texts } from '../../texts.js';
import { type Because, sourcesOf } from './sources.js';

/** One sentence: the first of the sources of what somebody may do. */
export function Reason({ because }: { readonly because: Because }) {
  const [first, ...others] = sourcesOf(because);
  if (!first) return null;
  return (
    <span>
      <Sentence source={first.source} />
      {others.length > 0 && `, ${texts.access.further(others.length)}`}
    </span>
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
