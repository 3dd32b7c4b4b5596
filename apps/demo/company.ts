/** The company of the demo: its departments, people, folders and documents. All are invented. */

interface Department {
  readonly name: string;
  /** Shown in the department's own folder only, or to everybody. */
  readonly is_confidential: boolean;
  readonly people: readonly string[];
  readonly folders: readonly string[];
  /** Names of documents; `#` becomes a number. */
  readonly documents: readonly string[];
}

export const COMPANY = 'Halden Instruments';

export const OWNER = 'Ingrid Solberg';
export const CFO = 'Henrik Aas';
export const ASSISTANT = 'Marta Kowalska';
export const HEAD_OF_SALES = 'Jonas Weber';
export const ADMINISTRATOR = 'Tomas Novak';
export const COUNSEL = ['Amara Okafor', 'Luca Ferrari'] as const;

export const DEPARTMENTS: readonly Department[] = [
  {
    name: 'Engineering',
    is_confidential: false,
    people: [
      'Sofia Lund',
      'Daniel Mbeki',
      'Yuki Tanaka',
      'Priya Raman',
      'Oskar Nilsen',
      'Elif Kaya',
    ],
    folders: ['Sonar 4', 'Depth logger', 'Test reports', 'Firmware'],
    documents: [
      'hull-test-#.csv',
      'firmware-#.md',
      'calibration-#.txt',
      'design-review-#.md',
      'drawing-#.svg',
    ],
  },
  {
    name: 'Sales',
    is_confidential: false,
    people: [HEAD_OF_SALES, 'Clara Dubois', 'Ahmed Farouk', 'Nina Petrova'],
    folders: ['Customers', 'Offers', 'Trade fairs'],
    documents: ['offer-#.txt', 'visit-#.md', 'price-list-#.csv', 'contract-#.txt'],
  },
  {
    name: 'Finance',
    is_confidential: true,
    people: [CFO, 'Beatriz Costa', 'Liam Murphy'],
    folders: ['Invoices', 'Budget', 'Audit'],
    documents: ['invoice-#.txt', 'budget-#.csv', 'cash-flow-#.csv', 'audit-question-#.md'],
  },
  {
    name: 'People',
    is_confidential: true,
    people: ['Hanna Virtanen', 'Samuel Adeyemi'],
    folders: ['Contracts', 'Applications'],
    documents: ['employment-#.txt', 'application-#.txt', 'review-#.md'],
  },
  {
    name: 'Office',
    is_confidential: false,
    people: [ASSISTANT, ADMINISTRATOR, 'Ruth Keller'],
    folders: ['Travel', 'Minutes', 'Premises'],
    documents: ['travel-#.txt', 'minutes-#.md', 'lease-#.txt'],
  },
];

export const BOARD = [OWNER, CFO, 'Erik Halvorsen', 'Mei Chen'] as const;

export const LABELS = ['urgent', 'draft', 'approved', 'customer', 'q-and-a', 'archive'] as const;

export const NOTES = [
  'Working from Bergen this week',
  'At the trade fair in Hamburg',
  'On leave until Monday',
  'Back in the office',
  'Travelling with customers',
] as const;

export const REMARKS = [
  'Checked with the customer',
  'Numbers updated',
  'Please read before Friday',
  'Replaces the version of last week',
  'Comments included',
  'Ready for approval',
] as const;

/** All people, each once, the owner first. */
export const PEOPLE: readonly string[] = [
  ...new Set([OWNER, ...BOARD, ...DEPARTMENTS.flatMap(({ people }) => people), ...COUNSEL]),
];
