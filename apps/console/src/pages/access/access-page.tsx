import { Group } from '@mantine/core';
import { PersonSelect } from '../../components/person-select.js';
import { RecordSelect } from '../../components/record-select.js';
import { useChangeView, useView } from '../../point/use-view.js';
import { ViewNote } from '../../point/view-note.js';
import { PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { Bars } from './bars.js';
import { Explanation } from './explanation.js';
import { Holders, Reached } from './lists.js';
import { Replaced } from './replaced.js';
import styles from './access.module.css';

/** Who could reach what at the point, and why. */
export default function AccessPage() {
  const { params } = useView();
  const changeView = useChangeView();
  const [who, what] = [params.get('who'), params.get('what')];
  const change = (name: string) => (id: string | null) => changeView({ [name]: id });
  return (
    <>
      <PageHead title={texts.pages.access} intro={texts.access.intro} />
      <ViewNote />
      <Group align="end" mb="md" className={styles.choices!}>
        <PersonSelect
          label={texts.access.person}
          value={who}
          onChange={change('who')}
          with_present
        />
        <RecordSelect label={texts.access.resource} value={what} onChange={change('what')} />
      </Group>
      {who !== null && <Replaced who={who} what={what} />}
      {who !== null && what !== null && (
        <>
          <Explanation who={who} what={what} />
          <Bars who={who} what={what} />
        </>
      )}
      {who === null && what !== null && <Holders what={what} />}
      {who !== null && what === null && <Reached who={who} />}
    </>
  );
}
