import type { ParityCase } from './parity-case.ts';
import { apps } from './scenario/apps.ts';
import { changes } from './scenario/changes.ts';
import { developers } from './scenario/developers.ts';
import { events } from './scenario/events.ts';
import { installations } from './scenario/installations.ts';
import { logos } from './scenario/logos.ts';
import { overview } from './scenario/overview.ts';
import { ownershipAndDeletion } from './scenario/ownership-and-deletion.ts';
import { protectedNames } from './scenario/protected-names.ts';
import { review } from './scenario/review.ts';
import { reviewers } from './scenario/reviewers.ts';
import { revisions } from './scenario/revisions.ts';
import { settings } from './scenario/settings.ts';
import { suspension } from './scenario/suspension.ts';
import { tokens } from './scenario/tokens.ts';
import { webhooks } from './scenario/webhooks.ts';

/** Every operation with every parameter, and every refusal, in the order in which the cases run. */
export const scenario: ParityCase[] = [
  ...developers,
  ...tokens,
  ...apps,
  ...review,
  ...reviewers,
  ...protectedNames,
  ...revisions,
  ...installations,
  ...logos,
  ...settings,
  ...suspension,
  ...ownershipAndDeletion,
  ...events,
  ...webhooks,
  ...overview,
  ...changes,
];
