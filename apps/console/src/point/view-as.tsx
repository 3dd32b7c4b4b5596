import { ActionIcon, Button, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { CloseIcon, EyeIcon } from '../components/icons.js';
import { PersonSelect } from '../components/person-select.js';
import { usePersonName } from '../api/person-name.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { useChangeView, useView } from './use-view.js';
import styles from './point-bar.module.css';

/** Shows the state and records as somebody saw them at the point; `ViewNote` is on the other pages. */
export function ViewAs() {
  const { as_user } = useView();
  const changeView = useChangeView();
  const [is_open, setOpen] = useState(false);
  const name = visibleText(usePersonName(as_user));
  const choose = (as: string | null): void => {
    changeView({ as });
    setOpen(false);
  };
  const label = as_user ? texts.view_as.chosen(name) : texts.view_as.title;
  return (
    <div className={styles.viewAs} data-chosen={as_user !== null}>
      <Popover opened={is_open} onChange={setOpen} position="bottom-end" trapFocus width={300}>
        <Popover.Target>
          <Button
            variant={as_user ? 'light' : 'subtle'}
            color={as_user ? 'orange' : 'gray'}
            leftSection={<EyeIcon />}
            aria-label={label}
            onClick={() => setOpen(!is_open)}
          >
            <span className={styles.viewAsName}>{label}</span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.view_as.title}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {texts.view_as.explanation}
            </Text>
            <PersonSelect
              label={texts.view_as.person}
              value={as_user}
              onChange={choose}
              is_in_popover
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {as_user && (
        <Tooltip label={texts.view_as.end}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.view_as.end}
            onClick={() => choose(null)}
          >
            <CloseIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
