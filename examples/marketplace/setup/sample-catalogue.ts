import type { OperatorClient } from '@appregistrar/client/operator';
import { people } from '../identity/people.ts';

interface Sample {
  name: string;
  shortDescription: string;
  longDescription: string;
  backgroundColor: string;
  logo: [shape: string, color: string];
}

const samples: Sample[] = [
  {
    name: 'Parcel Tracker',
    shortDescription: 'Where every delivery is, in one channel.',
    longDescription: 'Follows parcels of eleven carriers and posts to a channel when one is late.',
    backgroundColor: '#c3fae8',
    logo: ['<path d="M5 8l7-4 7 4v8l-7 4-7-4zM5 8l7 4 7-4M12 12v8"/>', '#087f5b'],
  },
  {
    name: 'Receipt Box',
    shortDescription: 'From a photo of a receipt to the expense report.',
    longDescription: 'Reads the amount, the tax and the date from a photo, and files it with the right project.',
    backgroundColor: '#fff3bf',
    logo: ['<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6"/>', '#e67700'],
  },
  {
    name: 'Shift Planner',
    shortDescription: 'Rosters that respect everyone’s week.',
    longDescription:
      'Plans shifts from availability, contracts and rest times, and notifies people when theirs change.',
    backgroundColor: '#e5dbff',
    logo: ['<circle cx="12" cy="12" r="8"/><path d="M12 7v5l3 3"/>', '#5f3dc4'],
  },
  {
    name: 'Standup Notes',
    shortDescription: 'What the team did, before the meeting.',
    longDescription: 'Sends everyone three questions in the morning and posts the replies to one channel.',
    backgroundColor: '#d3f9d8',
    logo: ['<path d="M4 6h16v10H11l-4 4v-4H4zM8 10h8M8 13h5"/>', '#2b8a3e'],
  },
  {
    name: 'Weekly Digest',
    shortDescription: 'What happened this week, on one page.',
    longDescription: 'Gathers the decisions and open questions of the week, and sends them on Friday at noon.',
    backgroundColor: '#ffe3e3',
    logo: ['<path d="M4 5h16v14H4zM8 9h8M8 12h8M8 15h4"/>', '#c92a2a'],
  },
];

/** Creates the developers, and the apps of the second one: approved, and some installed. */
export async function createSamples(admin: OperatorClient): Promise<void> {
  const [ada, grace] = people.filter(({ scopes }) => scopes.includes('app-registry:developer'));
  for (const person of [ada, grace]) {
    const [firstName = '', lastName = ''] = person?.name.split(' ') ?? [];
    const email = `${firstName.toLowerCase()}@example.com`;
    await admin.developers.create({ id: person?.id ?? '', email, firstName, lastName });
  }
  for (const sample of samples) await publish(admin, grace?.id ?? '', sample);
}

async function publish(
  admin: OperatorClient,
  developerId: string,
  { name, logo, ...listingInfo }: Sample,
): Promise<void> {
  const { id: logoId } = await admin.logos.create({ developerId, image: logoImage(...logo) });
  const app = await admin.apps.create({ developerId, name, logoId, listingInfo });
  const { etag: revision } = await admin.apps.submit(app.id);
  await admin.apps.approve(app.id, { revision });
}

/** White lines on a rounded square. */
function logoImage(shape: string, color: string): Blob {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="${color}"/>
    <g fill="none" stroke="#fff" stroke-width="1.5" stroke-linejoin="round" transform="translate(3 3) scale(.75)">${shape}</g></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}
