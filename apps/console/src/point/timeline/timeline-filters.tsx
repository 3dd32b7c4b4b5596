import { Button, MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { PersonSelect } from '../../components/person-select.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import { familyName, isFiltered, kindName, useEventFilter } from '../event-filter.js';
import { usePoint } from '../point-context.js';
import { useChangeView } from '../use-view.js';
import styles from './timeline.module.css';

interface TimelineFiltersProps {
  /** Filters of a page beside them. */
  readonly children?: ReactNode;
}

/** Which events the timeline shows, and steps lead to. */
export function TimelineFilters({ children }: TimelineFiltersProps) {
  const { overview } = usePoint();
  const filter = useEventFilter();
  const changeView = useChangeView();
  const types = overview?.types ?? [];
  // That of the address is shown also if there is no such family: people see what to remove.
  const families = [
    ...new Set([...types.map(({ family }) => family), ...(filter.family ? [filter.family] : [])]),
  ];
  const kinds = types.filter(({ family }) => !filter.family || family === filter.family);
  return (
    <div className={styles.filters} role="group" aria-label={texts.timeline.filters}>
      <PersonSelect
        label={texts.timeline.person}
        size="xs"
        with_present
        value={filter.person}
        onChange={(person) => changeView({ person })}
      />
      <Select
        label={texts.timeline.family}
        size="xs"
        clearable
        placeholder={texts.timeline.all}
        data={families.map((value) => ({ value, label: visibleText(familyName(value)) }))}
        value={filter.family}
        onChange={(family) => changeView({ family, kind: null })}
      />
      <MultiSelect
        label={texts.timeline.kind}
        size="xs"
        searchable
        clearable
        placeholder={filter.kinds.length === 0 ? texts.timeline.all : ''}
        data={kinds.map(({ type, count }) => ({
          value: type,
          label: texts.timeline.kind_count(kindName(type), count),
        }))}
        value={[...filter.kinds]}
        onChange={(chosen) => changeView({ kind: chosen.join(',') || null })}
      />
      {children}
      {isFiltered(filter) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => changeView({ person: null, family: null, kind: null })}
        >
          {texts.timeline.no_filters}
        </Button>
      )}
    </div>
  );
}
