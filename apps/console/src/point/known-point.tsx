import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { isDenied } from '../api/errors.js';
import { Empty, Failed, Loading } from '../components/states.js';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import { useChangeView, useView } from './use-view.js';

/**
 * Content of the address's point and person. Not shown before the point is known, and not to callers without the
 * permission: what they may read themselves would be taken for what the address promises.
 */
export function KnownPoint({ children }: { readonly children: ReactNode }) {
  const { overview, error } = usePoint();
  const { at, as_user } = useView();
  const changeView = useChangeView();
  if (at === null && as_user === null) return children;
  if (isDenied(error))
    return (
      <Empty title={texts.point.no_permission}>
        <Button size="xs" variant="default" onClick={() => changeView({ at: null, as: null })}>
          {texts.point.to_now}
        </Button>
      </Empty>
    );
  if (at !== null || overview) return children;
  return error ? <Failed error={error} /> : <Loading />;
}
