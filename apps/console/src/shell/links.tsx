import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import { shared, type ViewChanges } from '../point/view.js';

/** The organization of the address. */
export function useDriveId(): string {
  return useParams<{ drive_id: string }>().drive_id ?? '';
}

/** True if the address is that of the page, or below it. */
export function useIsCurrent(): (path: string) => boolean {
  const [location] = useLocation();
  return (path) => location.split('/')[2] === path;
}

/** The rest of a page's address; as it is if people have changed it so that it has no meaning. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Makes addresses of pages; the point, the person and the filters of the timeline stay. */
export function usePageHref(): (path: string, changes?: ViewChanges) => string {
  const drive_id = useDriveId();
  const search = useSearch();
  return (path, changes) => `/${drive_id}/${path}${shared(new URLSearchParams(search), changes)}`;
}

interface PageLinkProps {
  /** Path behind the organization, such as `state/groups`. */
  readonly to: string;
  readonly changes?: ViewChanges;
  readonly className?: string | undefined;
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** A link to a page of the same organization. */
export function PageLink({ to, changes, className, current, children }: PageLinkProps) {
  const href = usePageHref();
  return (
    <Link
      href={href(to, changes)}
      className={className}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
