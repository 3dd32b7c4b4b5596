import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { CrashBoundary } from '../components/crash-boundary.js';
import { Loading } from '../components/states.js';
import { PAGES } from '../routes.js';
import { KnownPoint } from '../point/known-point.js';
import { PointProvider } from '../point/point-context.js';
import { SessionProvider } from '../session/session-context.js';
import { useSessions } from '../session/sessions-context.js';
import { SignInPage } from '../session/sign-in-page.js';
import { useDriveId } from './links.js';
import { NotFound } from './page-title.js';
import { Shell } from './shell.js';

/** The pages of the address's organization; without a key to it, the page to sign in. */
export function OrganizationPages() {
  const drive_id = useDriveId();
  const { sessions } = useSessions();
  const session = sessions.find((one) => one.drive_id === drive_id);
  if (!session) return <SignInPage key={drive_id} drive_id={drive_id} />;
  return (
    <SessionProvider key={drive_id} session={session}>
      <PointProvider>
        <Shell>
          <Switch>
            {PAGES.map(({ path, component: Page }) => (
              <Route key={path} path={`/:drive_id/${path}/*?`}>
                <CrashBoundary>
                  <Suspense fallback={<Loading />}>
                    <KnownPoint>
                      <Page />
                    </KnownPoint>
                  </Suspense>
                </CrashBoundary>
              </Route>
            ))}
            <Route path="/:drive_id">
              <Redirect to={`/${drive_id}/${PAGES[0]!.path}`} replace />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Shell>
      </PointProvider>
    </SessionProvider>
  );
}
