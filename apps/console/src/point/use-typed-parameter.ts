import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useChangeView, useView } from './use-view.js';

const TYPING_MS = 300;

/** A text input for a parameter of the address, which follows shortly after the last key. */
export function useTypedParameter(name: string): readonly [string, (text: string) => void] {
  const { params } = useView();
  const changeView = useChangeView();
  const value = params.get(name) ?? '';
  const [typed, setTyped] = useState({ text: value, of: value });
  const change = useDebouncedCallback((text: string) => {
    setTyped({ text, of: text.trim() });
    changeView({ [name]: text.trim() }, { replace: true });
  }, TYPING_MS);
  // A link may have changed the address since.
  const shown = typed.of === value ? typed.text : value;
  const type = (text: string): void => {
    setTyped({ text, of: value });
    change(text);
  };
  return [shown, type];
}
