import '@mantine/core/styles.css';
import './styles.css';
import './print.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { takeLoginLink } from './session/login-link.js';
import { applyTheme, printInLight } from './theme.js';

// Before anything else: the address of a sign-in link contains a key.
const link = takeLoginLink(window.location, window.history);
applyTheme();
printInLight();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App link={link} />
  </StrictMode>,
);
