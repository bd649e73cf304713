import type { Line } from './line.ts';
import { apps } from './scenario/apps.ts';
import { developers } from './scenario/developers.ts';
import { endings } from './scenario/endings.ts';
import { events } from './scenario/events.ts';
import { installations } from './scenario/installations.ts';
import { logos } from './scenario/logos.ts';
import { overview } from './scenario/overview.ts';
import { review } from './scenario/review.ts';
import { tokens } from './scenario/tokens.ts';
import { webhooks } from './scenario/webhooks.ts';

/** Every operation with all that it takes, and every refusal, in the order in which they are asked for. */
export const scenario: Line[] = [
  ...developers,
  ...tokens,
  ...apps,
  ...review,
  ...installations,
  ...logos,
  ...endings,
  ...events,
  ...webhooks,
  ...overview,
];
