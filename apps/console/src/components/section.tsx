import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** Points it out: it is of the event at the point. */
  readonly is_marked?: boolean;
  /** Still the answer to another request. */
  readonly is_stale?: boolean;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a title. */
export function Section(props: SectionProps) {
  const { title, is_marked = false, is_stale = false, actions, children } = props;
  const id = useId();
  return (
    <section
      className={styles.section}
      aria-labelledby={id}
      aria-busy={is_stale}
      data-marked={is_marked || undefined}
    >
      <div className={styles.head}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  );
}
