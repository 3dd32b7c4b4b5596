import { useQuery } from '@tanstack/react-query';
import { pointBody } from '../../api/points.js';
import { kindOf } from '../../api/records.js';
import { Answered, Empty } from '../../components/states.js';
import { readAgainOptions } from '../../point/use-point-query.js';
import { useView } from '../../point/use-view.js';
import { useDrive } from '../../session/session-context.js';
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
  const drive = useDrive();
  const { at } = useView();
  const query = useQuery({
    queryKey: [drive.drive_id, 'who', 'existed', what, at],
    queryFn: ({ signal }) => {
      const body = { resource_id: what, page_size: 1, ...pointBody(at) };
      return drive.organization.who(body, { signal });
    },
    ...readAgainOptions(at),
  });
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
