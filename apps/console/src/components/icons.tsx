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
export const PreviousIcon = icon('M15 6l-6 6 6 6');
export const NextIcon = icon('M9 6l6 6-6 6');
export const FirstIcon = icon('M18 6l-6 6 6 6', 'M7 5v14');
export const LastIcon = icon('M6 6l6 6-6 6', 'M17 5v14');
export const PlayIcon = icon('M7 4v16l13-8Z');
export const PauseIcon = icon('M8 5v14', 'M16 5v14');
export const ClockIcon = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18', 'M12 7v5l3 2');
export const FilterIcon = icon('M4 5h16l-6 7v6l-4 2v-8Z');
export const EyeIcon = icon(
  'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12',
  'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
);
export const ZoomInIcon = icon(
  'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14',
  'M20 20l-4-4',
  'M8 11h6',
  'M11 8v6',
);
export const ZoomOutIcon = icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14', 'M20 20l-4-4', 'M8 11h6');
export const FitIcon = icon('M4 8V4h4', 'M16 4h4v4', 'M20 16v4h-4', 'M8 20H4v-4');
export const SearchIcon = icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14', 'M20 20l-4-4');
export const FolderIcon = icon('M3 6h6l2 2h10v11H3Z');
export const FileIcon = icon('M6 3h8l5 5v13H6Z', 'M14 3v5h5');
export const TrashIcon = icon('M4 7h16', 'M9 7V4h6v3', 'M6 7l1 14h10l1-14');
export const DiskIcon = icon('M4 6h16v12H4Z', 'M8 14h.01', 'M4 11h16');
