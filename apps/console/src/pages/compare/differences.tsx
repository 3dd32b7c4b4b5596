import { Alert, Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { Difference } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { Changes } from '../../components/changes.js';
import { ChevronDownIcon } from '../../components/icons.js';
import { RecordLink } from '../../components/record-link.js';
import { Paging } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { Answered, EmptyPage } from '../../components/states.js';
import { UserText } from '../../components/user-text.js';
import { type PageCursors, useChangeView, usePage, useView } from '../../point/use-view.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageLink } from '../../shell/links.js';
import { Time } from '../../time/time.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import styles from './compare.module.css';

const PAGE_SIZE = 50;
const COLORS = { CREATED: 'green', UPDATED: 'indigo', DELETED: 'red' } as const;

export interface Between {
  readonly from: string;
  /** Null: now. */
  readonly to: string | null;
}

/** The records that differ between two points. */
export function Differences({ from, to }: Between) {
  const { params } = useView();
  const changeView = useChangeView();
  const family = params.get('of');
  const { cursors, turnTo } = usePage();
  const query = useDifferences({ from, to }, family, cursors);
  return (
    <Answered query={query}>
      {(page) => (
        <>
          {!query.isPlaceholderData && page.from.revision > page.to.revision && (
            <Backwards from={from} to={to} />
          )}
          <Section
            title={texts.compare.records}
            is_stale={query.isPlaceholderData}
            actions={
              <Text size="sm" c="dimmed">
                <Time ms={page.from.at_ms} /> – <Time ms={page.to.at_ms} />
              </Text>
            }
          >
            <Families
              counts={page.counts}
              chosen={family}
              onChoose={(of) => changeView({ of, up: null, down: null })}
            />
            {page.items.length === 0 ? (
              <EmptyPage
                total={page.total}
                is_stale={query.isPlaceholderData}
                title={texts.compare.nothing}
              />
            ) : (
              <>
                <ul className={styles.list}>
                  {page.items.map((one) => (
                    <DifferenceItem key={`${one.family} ${one.resource_id}`} difference={one} />
                  ))}
                </ul>
                <Paging page={page} shown={page.items.length} onTurn={turnTo} />
              </>
            )}
          </Section>
        </>
      )}
    </Answered>
  );
}

/** Says that the first point is the later one. */
function Backwards({ from, to }: Between) {
  const changeView = useChangeView();
  return (
    <Alert color="orange" mb="md">
      <Text size="sm" mb="xs">
        {texts.compare.backwards}
      </Text>
      <Button size="xs" variant="default" onClick={() => changeView({ with: to, at: from })}>
        {texts.compare.swap}
      </Button>
    </Alert>
  );
}

function useDifferences({ from, to }: Between, family: string | null, cursors: PageCursors) {
  const points = { from: pointBody(from), ...(to !== null && { to: pointBody(to) }) };
  return useDriveQuery(
    ['compare', points, family, cursors],
    async ({ organization: { compare } }, options) => {
      const page = { page_size: PAGE_SIZE, ...cursors };
      const include = family === null ? {} : { include: [family as Difference['family']] };
      const found = await compare({ ...points, ...page, ...include }, options);
      if (family === null) return found;
      // The numbers of all families stay in sight.
      const { counts } = await compare({ ...points, page_size: 1 }, options);
      return { ...found, counts };
    },
    { placeholderData: keepPreviousData, staleTime: to === null ? 0 : Infinity },
  );
}

type Counts = Readonly<Record<string, unknown>>;

interface FamiliesProps {
  readonly counts: Counts;
  readonly chosen: string | null;
  readonly onChoose: (family: string | null) => void;
}

/** How many records of each family differ; a choice among the families. */
function Families({ counts, chosen, onChoose }: FamiliesProps) {
  const numbers = Object.entries(counts).map(
    ([family, by_change]) => [family, sumOf(by_change as Record<string, number>)] as const,
  );
  const all = numbers.reduce((sum, [, count]) => sum + count, 0);
  const choice = (family: string | null, text: string) => (
    <Button
      key={family ?? ''}
      size="compact-sm"
      variant={chosen === family ? 'light' : 'subtle'}
      aria-pressed={chosen === family}
      data-printed={chosen === family || undefined}
      onClick={() => onChoose(family)}
    >
      {text}
    </Button>
  );
  return (
    <Group gap={4} mb="sm">
      {choice(null, texts.compare.all(all))}
      {numbers
        .filter(([, count]) => count > 0)
        .map(([family, count]) => choice(family, texts.compare.family(familyName(family), count)))}
    </Group>
  );
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Files and folders differ apart. */
function familyName(family: string): string {
  if (family === 'files') return texts.compare.files;
  return (texts.families as Readonly<Record<string, string>>)[family] ?? texts.kinds.drives;
}

function DifferenceItem({ difference }: { readonly difference: Difference }) {
  const { family, resource_id, name, change, fields, revisions } = difference;
  const [is_open, setOpen] = useState(change === 'UPDATED');
  const kind = (texts.kinds as Readonly<Record<string, string>>)[family] ?? familyName(family);
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Badge className={styles.change!} color={COLORS[change]} variant="light" tt="none">
          {texts.compare.kinds[change]}
        </Badge>
        <span className={styles.name}>
          <span className={styles.kind}>{kind}</span>{' '}
          {change === 'DELETED' ? (
            <UserText text={name} />
          ) : (
            <RecordLink id={resource_id} name={name} />
          )}
        </span>
        <PageLink to="history" changes={{ resource: resource_id }} className={styles.events}>
          {texts.compare.events(revisions.length)}
        </PageLink>
        <UnstyledButton
          className={styles.more!}
          aria-label={texts.compare.fields(visibleText(name))}
          aria-expanded={is_open}
          onClick={() => setOpen(!is_open)}
        >
          <ChevronDownIcon size={16} />
        </UnstyledButton>
      </div>
      {is_open && (
        <Changes changes={fields.map((field) => ({ resource_id, ...field }))} of_one_record />
      )}
    </li>
  );
}
