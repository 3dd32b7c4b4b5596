import { Select } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Redirect, useLocation, useParams } from 'wouter';
import { pointBody } from '../../api/points.js';
import { usePoint } from '../../point/point-context.js';
import { SeenBy } from '../../point/seen-by.js';
import { staleTimeAt } from '../../point/use-point-query.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { decodedPath, PageLink, usePageHref } from '../../shell/links.js';
import { NotFound, PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { Directory } from './directory.js';
import { FAMILIES, type Family } from './families.js';
import { FamilyTable } from './family-table.js';
import styles from './state-page.module.css';

const DIRECTORY = 'files';
/** The entries of the menu: families, and files with folders behind the disks that they are on. */
const ENTRIES = FAMILIES.flatMap(({ key }) =>
  key === 'disks' ? [key, DIRECTORY] : [key],
) as readonly Family['key'][];

/** What there was at the point, by family. */
export default function StatePage() {
  const [key = '', ...rest] = (useParams()['*'] ?? '').split('/');
  const href = usePageHref();
  const family = FAMILIES.find((one) => one.key === key);
  if (key === '') return <Redirect to={href(`state/${ENTRIES[0]}`)} replace />;
  if (!family && key !== DIRECTORY) return <NotFound />;
  return (
    <div className={styles.page}>
      <Menu current={key} />
      <div className={styles.content}>
        <PageHead title={texts.families[key as Family['key']]} />
        <SeenBy>
          {family ? (
            <FamilyTable key={key} family={family} />
          ) : (
            <Directory folder_id={rest[0] ? decodedPath(rest[0]) : null} />
          )}
        </SeenBy>
      </div>
    </div>
  );
}

/** Families with their numbers of records: links beside the table, a choice above it on narrow screens. */
function Menu({ current }: { readonly current: string }) {
  const { counts, is_stale } = useCounts();
  const [, navigate] = useLocation();
  const href = usePageHref();
  const countOf = (entry: Family['key']): number | null => {
    if (!counts) return null;
    const folders = entry === DIRECTORY ? (counts.folders ?? 0) : 0;
    return folders + (counts[entry] ?? 0);
  };
  return (
    <>
      <nav className={styles.menu} aria-label={texts.state.families} aria-busy={is_stale}>
        {ENTRIES.map((entry) => (
          <PageLink key={entry} to={`state/${entry}`} current={entry === current}>
            <span>{texts.families[entry]}</span>
            <span className={styles.count}>{countOf(entry)?.toLocaleString(texts.locale)}</span>
          </PageLink>
        ))}
      </nav>
      <Select
        className={styles.choice!}
        aria-label={texts.state.families}
        allowDeselect={false}
        value={current}
        data={ENTRIES.map((entry) => ({
          value: entry,
          label: [texts.families[entry], countOf(entry)]
            .filter((part) => part !== null)
            .join(' · '),
        }))}
        onChange={(key) => key && navigate(href(`state/${key}`))}
      />
    </>
  );
}

/** Numbers of records at the point; null for callers who may not know them. */
function useCounts() {
  const { past } = usePoint();
  const { data, isPlaceholderData } = useDriveQuery(
    ['counts', past.at],
    ({ organization }, options) =>
      organization.replay({ ...pointBody(past.at), hash: false }, options),
    {
      // What somebody saw is counted nowhere.
      enabled: past.as_user === null,
      placeholderData: keepPreviousData,
      staleTime: staleTimeAt(past.at),
    },
  );
  const counts = past.as_user === null ? data?.counts : undefined;
  return {
    counts: (counts ?? null) as Readonly<Record<string, number>> | null,
    is_stale: isPlaceholderData,
  };
}
