import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { changed, pointOf, type ViewChanges } from './view.js';

/** Time after the last key, ms. */
const TYPING_MS = 300;

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

/** Which page of a list is wanted, as requests take it; the first one without cursors. */
export interface PageCursors {
  readonly cursor_down?: string | null;
  readonly cursor_up?: string | null;
}

/** The page of a list, in the address. @param down @param up parameters that hold the cursors: each list has its own */
export function usePage(down = 'down', up = 'up') {
  const { params } = useView();
  const changeView = useChangeView();
  return {
    cursors: { cursor_down: params.get(down), cursor_up: params.get(up) },
    turnTo: ({ cursor_down = null, cursor_up = null }: PageCursors): void =>
      changeView({ [down]: cursor_down, [up]: cursor_up }),
  };
}

/** A text input for a parameter of the address, which follows shortly after the last key. */
export function useTypedParameter(name: string): readonly [string, (text: string) => void] {
  const { params } = useView();
  const changeView = useChangeView();
  const value = params.get(name) ?? '';
  const [typed, setTyped] = useState({ text: value, of: value });
  const change = useDebouncedCallback((text: string) => {
    setTyped({ text, of: text.trim() });
    changeView({ [name]: text.trim() }, { replace: true });
  }, TYPING_MS);
  // A link may have changed the address since.
  const shown = typed.of === value ? typed.text : value;
  const type = (text: string): void => {
    setTyped({ text, of: value });
    change(text);
  };
  return [shown, type];
}
