import { matching } from './regex.js';

describe('an expression for a text', () => {
  it.each(['a.b', '(x)', '[^$]', 'a|b', String.raw`\d`, '{2}', 'a+*?', '\0', 'a\0.b'])(
    'matches it and nothing else: %j',
    (text) => {
      const expression = matching(text);
      expect(new RegExp(expression).exec(`<${text}>`)?.[0]).toBe(text);
      expect(new RegExp(`^${expression}$`).test(`${text} `)).toBe(false);
      // MongoDB refuses the character NUL in an expression.
      expect(expression).not.toContain('\0');
    },
  );
});
