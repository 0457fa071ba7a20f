/** Our own signs, 24 by 24, drawn as one stroke each. */
export const icons = {
  undo: 'M8 5 3.5 9.5 8 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-3',
  restart: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4v4.5H9',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  help: 'M9 9.2a3.1 3.1 0 1 1 4.6 2.7c-1 .6-1.6 1.2-1.6 2.4M12 18.2v.1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2',
  hint: 'M9.5 18.5h5M10.5 21.5h3M9.5 15.5c0-2.6-3.5-3.7-3.5-7.3a6 6 0 0 1 12 0c0 3.6-3.5 4.7-3.5 7.3Z',
  check: 'M4.5 12.5 10 18 19.5 7',
  skip: 'M5 5l8 7-8 7ZM19 5v14',
  play: 'M7 4.5 19 12 7 19.5Z',
  pause: 'M8 5v14M16 5v14',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  first: 'M18 5l-8 7 8 7ZM6 5v14',
  last: 'M6 5l8 7-8 7ZM18 5v14',
  home: 'M4 11.5 12 4l8 7.5M6.5 9.8V20h11V9.8',
  scores: 'M5 20V11M12 20V4M19 20v-6',
  log: 'M5 6h14M5 12h14M5 18h9',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  arrow: 'M4 12h15M13 6l6 6-6 6',
  turn: 'M19 12a7 7 0 1 1-2.2-5.1M19.5 3v4.5H15',
  leave: 'M14 4H6v16h8M10 12h11M17 8l4 4-4 4',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  keyboard: 'M3 6h18v12H3ZM7 10h.1M11 10h.1M15 10h.1M17 14H7',
} as const;

export type IconName = keyof typeof icons;
