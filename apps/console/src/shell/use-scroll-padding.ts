import { useCallback } from 'react';

/** Space between the header and what the browser scrolls into view, px. */
const GAP = 8;

/** For the ref of a sticky header: what has the focus is not scrolled below it. */
export function useScrollPadding(): (header: HTMLElement | null) => (() => void) | undefined {
  return useCallback((header) => {
    if (!header) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { position, top } = getComputedStyle(header);
      // On narrow screens a part of the header scrolls away, on low ones all of it.
      const covered = header.offsetHeight + (Number.parseFloat(top) || 0);
      root.style.scrollPaddingTop = `${position === 'sticky' ? covered + GAP : GAP}px`;
    });
    observer.observe(header);
    return () => {
      observer.disconnect();
      root.style.scrollPaddingTop = '';
    };
  }, []);
}
