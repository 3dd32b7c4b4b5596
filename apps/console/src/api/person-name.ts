import { usePoint } from '../point/point-context.js';
import { staleTimeAt } from '../point/use-point-query.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { readsAt } from './drive.js';

/** The name of a user at the point; without a contact then, the name now; the id until it is known, or without both. */
export function usePersonName(user_id: string | null): string {
  const { past } = usePoint();
  const { data } = useDriveQuery(
    ['person', user_id, past.at],
    (drive, options) => {
      const then = readsAt(drive, { at: past.at, as_user: null }).contacts.get(user_id!, options);
      return then.catch(() => drive.contacts.get(user_id!, options));
    },
    {
      enabled: user_id !== null,
      staleTime: staleTimeAt(past.at),
      placeholderData: (previous, query) => (query?.queryKey[2] === user_id ? previous : undefined),
    },
  );
  return data?.name ?? user_id ?? '';
}
