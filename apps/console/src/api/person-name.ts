import { useQuery } from '@tanstack/react-query';
import { usePoint } from '../point/point-context.js';
import { staleTimeAt } from '../point/use-point-query.js';
import { useDrive } from '../session/session-context.js';
import { readsAt } from './drive.js';

/** The name of a user at the point; without a contact then, the name now; the id until it is known, or without both. */
export function usePersonName(user_id: string | null): string {
  const drive = useDrive();
  const { past } = usePoint();
  const { data } = useQuery({
    queryKey: [drive.drive_id, 'person', user_id, past.at],
    queryFn: async ({ signal }) => {
      const reads = readsAt(drive, { at: past.at, as_user: null });
      const then = reads.contacts.get(user_id!, { signal });
      return then.catch(() => drive.contacts.get(user_id!, { signal }));
    },
    enabled: user_id !== null,
    staleTime: staleTimeAt(past.at),
    placeholderData: (previous, query) => (query?.queryKey[2] === user_id ? previous : undefined),
  });
  return data?.name ?? user_id ?? '';
}
