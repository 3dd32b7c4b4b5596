import { useChangeView, useView } from './use-view.js';

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
