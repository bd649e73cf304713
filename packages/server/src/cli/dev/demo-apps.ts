import type { ReviewStep } from '../../features/apps/review/review-status.ts';

export interface DemoDeveloper {
  email: string;
  firstName: string;
  lastName: string;
  apps: DemoApp[];
}

/** An app and its history. Days count back from today. */
export interface DemoApp {
  name: string;
  shortDescription: string;
  longDescription: string;
  backgroundColor: string;
  site: string;
  logo?: [color: number, accent: number];
  createdDaysAgo: number;
  steps: [daysAgo: number, step: ReviewStep][];
  /** A change of the long description. */
  updated?: [daysAgo: number, longDescription: string];
  /** In how many workspaces it is installed today; the last installation is disabled. */
  workspaces: number;
}

const ada: DemoApp[] = [
  {
    name: 'Invoice Sync',
    shortDescription: 'Keeps invoices and ledgers in step.',
    longDescription:
      'Invoice Sync copies every invoice to your ledger within a minute, with its tax and its attachments.\n\nNothing to configure: connect both accounts and choose a start date.',
    backgroundColor: '#e7f5ff',
    site: 'https://invoice-sync.example',
    logo: [0x0b5fff, 0xffc53d],
    createdDaysAgo: 41,
    steps: [
      [40, 'submit'],
      [38, 'approve'],
    ],
    workspaces: 12,
  },
  {
    name: 'Étagère – Wissensdatenbank',
    shortDescription: 'Your handbook, searchable from anywhere.',
    longDescription: 'Étagère reads the documents that a workspace shares and quotes the paragraph that matters.',
    backgroundColor: '#ffe3e3',
    site: 'https://etagere.example',
    logo: [0xfa5252, 0x2b2b2b],
    createdDaysAgo: 25,
    steps: [
      [24, 'submit'],
      [21, 'reject'],
    ],
    workspaces: 0,
  },
  {
    name: 'Standup Notes',
    shortDescription: 'Collects what the team did, before the meeting.',
    longDescription: 'Sends everyone three questions each morning and posts the replies to one channel.',
    backgroundColor: '#d3f9d8',
    site: 'https://standup-notes.example',
    logo: [0x12a150, 0xffffff],
    createdDaysAgo: 12,
    steps: [[3, 'submit']],
    workspaces: 0,
  },
  {
    name: 'Shift Planner',
    shortDescription: 'Rosters that respect everyone’s week.',
    longDescription:
      'Plans shifts from availability, contracts and rest times, and notifies people when theirs changes.',
    backgroundColor: '#845ef7',
    site: 'https://shift-planner.example',
    logo: [0x5f3dc4, 0x63e6be],
    createdDaysAgo: 6,
    steps: [],
    workspaces: 1,
  },
];

const grace: DemoApp[] = [
  {
    name: 'Receipt Box',
    shortDescription: 'Receipts from a photo to the expense report.',
    longDescription: 'Reads the amount, the tax and the date from a photo, and files it with the right project.',
    backgroundColor: '#ffe066',
    site: 'https://receipt-box.example',
    logo: [0xf08c00, 0xfff3bf],
    createdDaysAgo: 36,
    steps: [
      [35, 'submit'],
      [33, 'approve'],
    ],
    updated: [9, 'Reads the amount, the tax and the date from a photo or a PDF, and files it with the right project.'],
    workspaces: 31,
  },
  {
    name: 'Parcel Tracker',
    shortDescription: 'Where every delivery is, in one channel.',
    longDescription: 'Follows the parcels of eleven carriers and alerts a channel when one is late.',
    backgroundColor: '#0c8599',
    site: 'https://parcel-tracker.example',
    createdDaysAgo: 23,
    steps: [
      [22, 'submit'],
      [19, 'approve'],
    ],
    workspaces: 17,
  },
  {
    name: 'Weekly Digest',
    shortDescription: 'What happened this week, on one page.',
    longDescription: 'Gathers decisions and open questions of the week, and sends them on Friday at noon.',
    backgroundColor: '#343a40',
    site: 'https://weekly-digest.example',
    createdDaysAgo: 20,
    steps: [
      [18, 'submit'],
      [16, 'reject'],
      [5, 'submit'],
    ],
    workspaces: 0,
  },
];

/** The first one gets a token. */
export const demoDevelopers: [DemoDeveloper, ...DemoDeveloper[]] = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', apps: ada },
  { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', apps: grace },
];
