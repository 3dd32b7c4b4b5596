import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError } from '../api/errors.js';
import { Failed } from '../components/states.js';
import { useDrive } from '../session/session-context.js';
import { usePoint } from './point-context.js';

/** A page as the chosen person saw it. Of a person who never existed, the API says that they could see nothing. */
export function SeenBy({ children }: { readonly children: ReactNode }) {
  const drive = useDrive();
  const { past } = usePoint();
  const { error } = useQuery({
    queryKey: [drive.drive_id, 'person', 'existed', past.as_user],
    queryFn: ({ signal }) =>
      drive.organization.history({ actor: past.as_user, page_size: 1 }, { signal }),
    enabled: past.as_user !== null,
    staleTime: Infinity,
  });
  return describeError(error).missing ? <Failed error={error} /> : children;
}
