const PATHS = {
  jobs: 'M4 5h12M4 10h8M4 15h10',
  book: 'M4 4.5h4.5A1.5 1.5 0 0 1 10 6v10a1.5 1.5 0 0 0-1.5-1.5H4zM16 4.5h-4.5A1.5 1.5 0 0 0 10 6v10a1.5 1.5 0 0 1 1.5-1.5H16z',
  pulls:
    'M5 7v6M5 3.2a1.8 1.8 0 1 0 .01 0M5 13.2a1.8 1.8 0 1 0 .01 0' +
    'M15 13.2a1.8 1.8 0 1 0 .01 0M15 13V8.5A2.5 2.5 0 0 0 12.5 6H9M11 4 9 6l2 2',
  playground:
    'M4 5.5A1.5 1.5 0 0 1 5.5 4h9A1.5 1.5 0 0 1 16 5.5v6a1.5 1.5 0 0 1-1.5 1.5H9l-3.5 3V13' +
    'A1.5 1.5 0 0 1 4 11.5z',
  widget:
    'M3.5 5A1.5 1.5 0 0 1 5 3.5h10A1.5 1.5 0 0 1 16.5 5v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15z' +
    'M10 10h6.5M10 10v6.5',
  questions:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M8 8a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.1M10 13.5v.01',
  usage: 'M4 16V9M8 16V4M12 16v-5M16 16V7',
  keys: 'M7 10a3.2 3.2 0 1 0 .01 0M9.3 10.9 16 4.2M13.4 6.8l2.2 2.2',
  settings: 'M4 6h6M14 6h2M12 4v4M4 14h2M10 14h6M8 12v4',
  overview: 'M4 4h5v6H4zM11 4h5v3h-5zM11 10h5v6h-5zM4 13h5v3H4z',
  members:
    'M8 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 16c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5' +
    'M13 4.3a2.5 2.5 0 0 1 0 4.5M15 11.8c1.3.6 2 2 2 4.2',
  projects:
    'M4 6.5A1.5 1.5 0 0 1 5.5 5H8l1.5 2h5A1.5 1.5 0 0 1 16 8.5v5a1.5 1.5 0 0 1-1.5 1.5h-9' +
    'A1.5 1.5 0 0 1 4 13.5z',
  copy:
    'M7.5 7.5V5A1.5 1.5 0 0 1 9 3.5h6A1.5 1.5 0 0 1 16.5 5v6a1.5 1.5 0 0 1-1.5 1.5h-2.5' +
    'M5 7.5h6A1.5 1.5 0 0 1 12.5 9v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V9' +
    'A1.5 1.5 0 0 1 5 7.5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  cross: 'm5 5 10 10M15 5 5 15',
  dash: 'M5 10h10',
  plus: 'M10 4v12M4 10h12',
  plug: 'M7.5 3v3.5M12.5 3v3.5M5 6.5h10V10a5 5 0 0 1-10 0zM10 15v2.5',
  menu: 'M4 6h12M4 10h12M4 14h12',
  chevrons: 'm7 8 3-3 3 3M7 12l3 3 3-3',
  back: 'm12 5-5 5 5 5',
  external:
    'M11 4h5v5M16 4l-7 7' +
    'M13 12v2.5A1.5 1.5 0 0 1 11.5 16h-6A1.5 1.5 0 0 1 4 14.5v-6A1.5 1.5 0 0 1 5.5 7H8',
  warning: 'M10 4 3 16h14zM10 8.5v3.5M10 14v.01',
  tool:
    'M12.5 4a3.5 3.5 0 0 0-3.3 4.7L4 13.9 6.1 16l5.2-5.2A3.5 3.5 0 0 0 16 7.5' +
    'l-2.2 1.2-1.7-.8-.8-1.7z',
  commit: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 10h4M13 10h4',
  user: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 17c0-3.2 2.7-5 6-5s6 1.8 6 5',
  sun:
    'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M10 3v1.5M10 15.5V17M3 10h1.5M15.5 10H17M5 5l1 1' +
    'M14 14l1 1M5 15l1-1M14 6l1-1',
  merge:
    'M6 7v6M6 3.2a1.8 1.8 0 1 0 .01 0M6 13.2a1.8 1.8 0 1 0 .01 0' +
    'M14 8.2a1.8 1.8 0 1 0 .01 0M6 7c0 2.5 3 3 6.2 3',
  stop: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M5.2 5.2l9.6 9.6',
  down: 'M10 4v12M5 11l5 5 5-5',
  link: 'M8.5 11.5l3-3M9 6l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L13.5 10.5M11 14l-1.5 1.5A3.2 3.2 0 0 1 5 11l1.5-1.5',
  rewind: 'M4 4v4.5h4.5M4.5 8A6.5 6.5 0 1 1 3.5 11.5',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: the text beside an icon has the same meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
