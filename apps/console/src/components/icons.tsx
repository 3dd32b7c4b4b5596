/** Line icons of 24 by 24; they say nothing to screen readers, so what they are in needs a name. */

interface IconProps {
  readonly size?: number;
}

function icon(...paths: readonly string[]) {
  return function Icon({ size = 18 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    );
  };
}

export const MenuIcon = icon('M4 6h16', 'M4 12h16', 'M4 18h16');
export const SunIcon = icon(
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  'M12 2v2',
  'M12 20v2',
  'M4.9 4.9l1.4 1.4',
  'M17.7 17.7l1.4 1.4',
  'M2 12h2',
  'M20 12h2',
  'M4.9 19.1l1.4-1.4',
  'M17.7 6.3l1.4-1.4',
);
export const MoonIcon = icon('M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z');
export const ChevronDownIcon = icon('M6 9l6 6 6-6');
export const CloseIcon = icon('M6 6l12 12', 'M18 6L6 18');
export const UserIcon = icon('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8', 'M4 21a8 8 0 0 1 16 0');
export const PlusIcon = icon('M12 5v14', 'M5 12h14');
