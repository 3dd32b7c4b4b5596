import { Alert } from '@mantine/core';
import { usePersonName } from '../../api/person-name.js';
import { UserText } from '../../components/user-text.js';
import { usePoint } from '../../point/point-context.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageLink } from '../../shell/links.js';
import { Time } from '../../time/time.js';
import { texts } from '../../texts.js';

interface ReplacedProps {
  readonly who: string;
  readonly what: string | null;
}

/** Says that an id of a person was replaced, and leads to the access of the id that the person has since. */
export function Replaced({ who, what }: ReplacedProps) {
  const { overview } = usePoint();
  const { data } = useDriveQuery(
    ['history', 'replaced', who, overview?.to_revision],
    async ({ organization }, options) => {
      // The latest one: an id may be replaced again.
      const body = { resource_id: who, types: [...REPLACEMENTS], page_size: 1 };
      return (await organization.history(body, options)).items[0] ?? null;
    },
    { enabled: who.startsWith('UserID_') },
  );
  const new_id = data ? String(data.data.new_user_id) : who;
  const name = usePersonName(new_id === who ? null : new_id);
  if (!data || new_id === who) return null;
  return (
    <Alert color="orange" mb="md">
      {texts.access.replaced} <Time ms={data.timestamp_ms} /> {texts.access.replaced_by}{' '}
      <PageLink to="access" changes={{ who: new_id, what }}>
        <UserText text={name === new_id ? new_id : `${name} (${new_id})`} />
      </PageLink>
    </Alert>
  );
}

const REPLACEMENTS = ['UserSuperswapped', 'ContactRedeemed'] as const;
