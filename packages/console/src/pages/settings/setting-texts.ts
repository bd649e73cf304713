import type { SettingsUpdate } from '@appregistrar/client/operator';

export const settingTitles = {
  uniqueNames: 'App names',
  changesToApproved: 'Changes to approved apps',
  reviewTargetHours: 'Decide within (hours)',
};

/** What each value of a setting means. */
export const choicesOf = {
  uniqueNames: {
    true: 'No two apps may have the same name, regardless of case.',
    false: 'Several apps may have the same name.',
  },
  changesToApproved: {
    live: 'Customers see a change immediately. Reviewers decide on it later.',
    hold: 'Customers see the approved version until a reviewer approves the change.',
  },
  existing: {
    approve: 'Approve them all as they are now.',
    hold: 'Hold them: customers see the approved version until a decision.',
  },
} as const;

/** What becomes of undecided changes when changes are held from now on. */
export type ExistingChoice = keyof typeof choicesOf.existing;

/** What an update of the settings does, each effect in a sentence. */
export function effectsOf(
  { uniqueNames, changesToApproved, reviewTargetHours }: SettingsUpdate,
  existing: ExistingChoice | undefined,
): string[] {
  const effects: string[] = [];
  if (uniqueNames === false) effects.push('Apps can take the name of another app from now on.');
  if (uniqueNames === true) effects.push('Apps can no longer take the name of another app.');
  if (changesToApproved === 'live') {
    effects.push(
      'Customers see every held change at once, including rejected ones. Rejected changes await a decision again.',
    );
  }
  if (changesToApproved === 'hold') effects.push('Customers no longer see changes before they are approved.');
  if (reviewTargetHours !== undefined) {
    effects.push(`What has waited for more than ${reviewTargetHours} hours is shown as late.`);
  }
  if (existing === 'approve') {
    effects.push('Every change that awaits a decision is approved as it is now, without a reviewer.');
  }
  if (existing === 'hold') {
    effects.push('Unapproved changes that customers see now are hidden from them until they are approved.');
  }
  return effects;
}
