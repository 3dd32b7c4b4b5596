import type { ReactNode } from 'react';
import { describeError } from '../api/errors.js';
import { Failed } from '../components/states.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { usePoint } from './point-context.js';

/** A page as the chosen person saw it. Of a person who never existed, the API says that they could see nothing. */
export function SeenBy({ children }: { readonly children: ReactNode }) {
  const { past } = usePoint();
  const { error } = useDriveQuery(
    ['person', 'existed', past.as_user],
    ({ organization }, options) =>
      organization.history({ actor: past.as_user, page_size: 1 }, options),
    { enabled: past.as_user !== null, staleTime: Infinity },
  );
  return describeError(error).missing ? <Failed error={error} /> : children;
}
