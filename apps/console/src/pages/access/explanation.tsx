import type { ReactNode } from 'react';
import type { DeniedGrant, Source } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { RecordLink, useRecord } from '../../components/record-link.js';
import { Section } from '../../components/section.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { readAgainOptions } from '../../point/use-point-query.js';
import { useView } from '../../point/use-view.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { Period, periodOf } from '../../time/period.js';
import { texts } from '../../texts.js';
import { PairNotThere } from './not-there.js';
import { keyOf, sourcesOf, type TypesOfSource } from './reason.js';
import { Types } from './types.js';
import styles from './access.module.css';

export interface Pair {
  /** User id. */
  readonly who: string;
  /** Id of a record, or name of a table. */
  readonly what: string;
}

/** What a person might do with a record at the point, and the chains of grants that gave it. */
export function Explanation({ who, what }: Pair) {
  const { at } = useView();
  const { data, error, refetch } = useDriveQuery(
    ['explain', who, what, at],
    ({ organization }, options) =>
      organization.explain({ grantee_id: who, resource_id: what, ...pointBody(at) }, options),
    readAgainOptions(at),
  );
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { permissions, because, denied, existed } = data;
  return (
    <>
      <Section title={texts.access.may}>
        {permissions.length > 0 ? (
          <Types types={permissions} />
        ) : existed ? (
          <PairNotThere who={who} what={what} />
        ) : (
          <Empty title={texts.access.may_nothing} />
        )}
      </Section>
      {permissions.length > 0 && (
        <Section title={texts.access.why}>
          {sourcesOf(because).map((one) => (
            <Chain key={keyOf(one.source)} who={who} what={what} {...one} />
          ))}
        </Section>
      )}
      {denied.length > 0 && (
        <Section title={texts.access.denied}>
          <ul className={styles.denied}>
            {denied.map((grant) => (
              <Denied key={grant.permission_id} grant={grant} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** From the person over memberships and grants to the record. */
function Chain({ who, what, source, types }: Pair & TypesOfSource) {
  const { via, resource_id, inherited_from } = source;
  const is_group = via.startsWith('GroupID_');
  return (
    <ol className={styles.chain} aria-label={texts.access.chain(types.join(', '))}>
      <Link>
        <RecordLink id={who} />
      </Link>
      {is_group && (
        <Link by={<Membership source={source} />}>
          <RecordLink id={via} />
        </Link>
      )}
      {via === 'PUBLIC' && who !== 'PUBLIC' && <Link>{texts.access.everyone}</Link>}
      {via === 'OWNER' ? (
        <Link>{texts.access.owner}</Link>
      ) : (
        <Link by={texts.access.holds}>
          <Grant source={source} types={types} />
        </Link>
      )}
      {resource_id && (
        <Link by={texts.access.on}>
          <RecordLink id={resource_id} />
        </Link>
      )}
      {inherited_from && (
        <Link by={texts.access.which_contains}>
          <RecordLink id={what} />
        </Link>
      )}
    </ol>
  );
}

interface LinkProps {
  /** How it follows from the one before. */
  readonly by?: ReactNode;
  readonly children: ReactNode;
}

function Link({ by, children }: LinkProps) {
  return (
    <li>
      {by && <span className={styles.by}>{by}</span>}
      <span className={styles.link}>{children}</span>
    </li>
  );
}

function Membership({ source: { invite_id } }: { readonly source: Source }) {
  const { data: invite } = useRecord(invite_id ?? '', invite_id !== null);
  return (
    <>
      {texts.access.member_of}
      {invite_id && (
        <>
          {' ('}
          <RecordLink id={invite_id} name={texts.access.by_invite} />
          {invite && <Period {...periodOf(invite)} />})
        </>
      )}
    </>
  );
}

function Grant({ source, types }: TypesOfSource) {
  const { permission_id, granted_by, begin_date_ms, expiry_date_ms } = source;
  return (
    <>
      {permission_id && <RecordLink id={permission_id} name={types.join(', ')} />}
      {granted_by && (
        <span className={styles.by}>
          {' '}
          {texts.access.granted_by} <RecordLink id={granted_by} />
        </span>
      )}
      <Period from_ms={begin_date_ms} to_ms={expiry_date_ms} />
    </>
  );
}

function Denied({ grant }: { readonly grant: DeniedGrant }) {
  const { permission_id, granted_to, resource_id, permission_types, reason } = grant;
  return (
    <li>
      <RecordLink id={permission_id} name={permission_types.join(', ')} />{' '}
      <span className={styles.by}>
        <RecordLink id={granted_to} /> {texts.access.on} <RecordLink id={resource_id} />
      </span>
      <Period {...periodOf(grant)} />: {texts.access.reasons[reason]}
    </li>
  );
}
