import { Group, Text } from '@mantine/core';
import { Empty } from '../../components/states.js';
import { UserText } from '../../components/user-text.js';
import { PointChoice } from '../../point/point-picker.js';
import { usePoint } from '../../point/point-context.js';
import { useChangeView, useView } from '../../point/use-view.js';
import { pointOf, revisionOf, timeOf } from '../../point/view.js';
import { ViewNote } from '../../point/view-note.js';
import { Time } from '../../time/time.js';
import { PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { AccessChanges } from './access-changes.js';
import { Differences } from './differences.js';

/** The first event: without another choice, everything is compared with the beginning. */
const FIRST = 'r0';

/** What differs between another point and the point: records, and access. */
export default function ComparePage() {
  const { at: to, params } = useView();
  const changeView = useChangeView();
  const { at } = usePoint();
  const from = pointOf(params, 'with') ?? FIRST;
  return (
    <>
      <PageHead title={texts.pages.compare} />
      <ViewNote />
      <Group gap="sm" mb="md">
        <Text size="sm">{texts.compare.from}</Text>
        <PointChoice
          label={texts.compare.from}
          at={from}
          onChoose={(point) => changeView({ with: point })}
        >
          <PointName at={from} />
        </PointChoice>
        <Text size="sm">
          {texts.compare.to} <PointName at={at} />
        </Text>
      </Group>
      {from === to ? (
        <Empty title={texts.compare.same} />
      ) : (
        <>
          <Differences from={from} to={to} />
          <AccessChanges from={from} to={to} />
        </>
      )}
    </>
  );
}

function PointName({ at }: { readonly at: string | null }) {
  if (at === null) return texts.compare.now;
  if (at === FIRST) return texts.compare.from_first;
  const revision = revisionOf(at);
  if (revision !== null) return texts.point.revision(revision);
  const time = timeOf(at);
  return time === null ? <UserText text={at} /> : <Time ms={time} />;
}
