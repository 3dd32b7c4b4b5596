import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { changed, pointOf, type ViewChanges } from './view.js';

/** What the address says of the point and of whose view it is. */
export interface View {
  /** As the API takes it in `as_of`; null: now. */
  readonly at: string | null;
  /** Whose view it is; null: the owner's. */
  readonly as_user: string | null;
  readonly params: URLSearchParams;
}

export function useView(): View {
  const search = useSearch();
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return { at: pointOf(params), as_user: params.get('as') || null, params };
  }, [search]);
}

interface ChangeOptions {
  /** Replaces the address in the browser's history, as small steps do. */
  readonly replace?: boolean;
}

/** Changes parameters of the address; the page stays. */
export function useChangeView(): (changes: ViewChanges, options?: ChangeOptions) => void {
  const [location, navigate] = useLocation();
  return useCallback(
    (changes, options = {}) => {
      // The address of this moment: two changes may come in one turn.
      const params = new URLSearchParams(window.location.search);
      navigate(`${location}${changed(params, changes)}`, options);
    },
    [location, navigate],
  );
}
