import { pointBody } from '../../api/points.js';
import { kindOf } from '../../api/records.js';
import { Answered, Empty } from '../../components/states.js';
import { readAgainOptions } from '../../point/use-point-query.js';
import { useView } from '../../point/use-view.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import type { Pair } from './explanation.js';

interface NotThereProps {
  readonly id: string;
  readonly title: string;
}

/** Says that a record or a person did not exist at the point, and leads to its history. */
export function NotThere({ id, title }: NotThereProps) {
  return (
    <Empty title={title}>
      {kindOf(id) && (
        <PageLink to={`record/${encodeURIComponent(id)}`}>{texts.access.history}</PageLink>
      )}
    </Empty>
  );
}

/** Says which of a person and a record did not exist at the point; the record if both did not. */
export function PairNotThere({ who, what }: Pair) {
  const { at } = useView();
  const query = useDriveQuery(
    ['who', 'existed', what, at],
    ({ organization }, options) =>
      organization.who({ resource_id: what, page_size: 1, ...pointBody(at) }, options),
    readAgainOptions(at),
  );
  return (
    <Answered query={query}>
      {({ existed }) =>
        existed ? (
          <NotThere id={what} title={texts.access.no_record} />
        ) : (
          <NotThere id={who} title={texts.access.no_person} />
        )
      }
    </Answered>
  );
}
