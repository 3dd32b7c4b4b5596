import { useEffect } from 'react';
import type { Step } from './point-context.js';

/** Elements that use arrow keys themselves. */
const USES_ARROWS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist], [role=radiogroup], [role=slider], [role=tree], [role=dialog], video, audio';

/** Arrow keys step through events, wherever they have no other use. */
export function useArrowKeys(step: (step: Step) => Promise<boolean>): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const { key, target, defaultPrevented } = event;
      if (defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
        return;
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
      if (target instanceof Element && target.closest(USES_ARROWS)) return;
      event.preventDefault();
      void step(key === 'ArrowLeft' ? 'previous' : 'next');
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [step]);
}
