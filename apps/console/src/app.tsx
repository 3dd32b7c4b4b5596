import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { OrganizationPages } from './shell/organization-pages.js';
import type { OpenedLink } from './session/login-link.js';
import { SessionsProvider } from './session/sessions-context.js';
import { SignInPage } from './session/sign-in-page.js';
import { theme } from './theme.js';
import { ZoneProvider } from './time/zone-context.js';

function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The client retries what may succeed later.
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: 30_000,
      },
    },
  });
}

/** @param link the sign-in link that the page was opened by */
export function App({ link }: { readonly link: OpenedLink }) {
  const [queries] = useState(queryClient);
  const [unused_link, setUnusedLink] = useState(link);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both would be inline style elements, which the page's policy forbids; see `applyTheme`.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <ZoneProvider>
          <SessionsProvider>
            <Router base="/console">
              <Switch>
                <Route path="/:drive_id/*?">
                  <OrganizationPages />
                </Route>
                <Route>
                  <SignInPage link={unused_link} onSignedIn={() => setUnusedLink(null)} />
                </Route>
              </Switch>
            </Router>
          </SessionsProvider>
        </ZoneProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
