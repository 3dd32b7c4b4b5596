import { visibleText } from './visible-text.js';

describe('a text from users', () => {
  it.each([
    ['invoice\u202Efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
    ['\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['\u200E\u200F\u061C', '⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩'],
    ['\u202A\u202B\u202C\u202D', '⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩'],
    ['\u2067\u2068', '⟨U+2067⟩⟨U+2068⟩'],
  ])('shows its direction controls', (text, shown) => expect(visibleText(text)).toBe(shown));

  it.each(['', 'Ada Lovelace', 'דוח שנתי', '👩\u200D💻 Zoë', '⟨U+202E⟩'])(
    'is otherwise unchanged: %s',
    (text) => expect(visibleText(text)).toBe(text),
  );
});
