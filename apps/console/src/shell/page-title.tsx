import { useEffect } from 'react';
import { useSession } from '../session/session-context.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';

/** Sets the title of the browser tab. @param parts from the specific to the general */
export function useTabTitle(...parts: readonly string[]): void {
  const title = [...parts, texts.product].filter((part) => part !== '').map(visibleText);
  const text = title.join(' – ');
  useEffect(() => {
    document.title = text;
  }, [text]);
}

/** Sets the title of the browser tab to a page, or to a record, of the organization. */
export function PageTitle({ title }: { readonly title: string }) {
  const { org_name } = useSession();
  useTabTitle(title, org_name);
  return null;
}
