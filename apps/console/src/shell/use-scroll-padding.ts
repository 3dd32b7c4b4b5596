import { useCallback } from 'react';

/** Space between the header and what the browser scrolls into view, px. */
const GAP = 8;

/** For the ref of a sticky header: what has the focus is not scrolled below it. */
export function useScrollPadding(): (header: HTMLElement | null) => (() => void) | undefined {
  return useCallback((header) => {
    if (!header) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => {
      // On narrow screens a part of the header scrolls away.
      const top = Number.parseFloat(getComputedStyle(header).top) || 0;
      root.style.scrollPaddingTop = `${header.offsetHeight + top + GAP}px`;
    });
    observer.observe(header);
    return () => {
      observer.disconnect();
      root.style.scrollPaddingTop = '';
    };
  }, []);
}
