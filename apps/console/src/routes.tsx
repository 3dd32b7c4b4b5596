import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { PageNotLoaded } from './components/crash-boundary.js';
import { texts } from './texts.js';

export interface Page {
  /** First segment of its address behind the organization; the page interprets the others. */
  readonly path: string;
  readonly title: string;
  /** Pages that others lead to are not in the menu. */
  readonly in_menu: boolean;
  readonly component: LazyExoticComponent<ComponentType>;
}

type Load = () => Promise<{ default: ComponentType }>;

function page(path: string, title: string, load: Load, in_menu = true): Page {
  const loadOrExplain: Load = () =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded(title, { cause });
    });
  return { path, title, in_menu, component: lazy(loadOrExplain) };
}

/** All pages, in the order of the menu; the first is the one that a sign-in leads to. */
export const PAGES: readonly Page[] = [
  page('state', texts.pages.state, () => import('./pages/state/state-page.js')),
  page('history', texts.pages.history, () => import('./pages/history/history-page.js')),
  page('compare', texts.pages.compare, () => import('./pages/compare/compare-page.js')),
  page('access', texts.pages.access, () => import('./pages/access/access-page.js')),
  page('evidence', texts.pages.evidence, () => import('./pages/evidence/evidence-page.js')),
  page('operations', texts.pages.operations, () => import('./pages/operations/operations-page.js')),
  page('record', texts.pages.record, () => import('./pages/record/record-page.js'), false),
];
