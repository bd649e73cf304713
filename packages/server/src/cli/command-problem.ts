/**
 * What the command line alone can tell, with the title a person reads. Closed: a program that reads `--json`
 * may rely on these codes. Those of the registry's rules are in `contract/problem.ts`.
 */
export const commandProblemTitles = {
  configuration_invalid: 'Invalid Configuration',
  database_unusable: 'Unusable Database',
  outcome_unknown: 'Unknown Outcome',
  address_unusable: 'Unusable Address',
  file_unreadable: 'Unreadable File',
  file_unwritable: 'Unwritable File',
  registry_inconsistent: 'Inconsistent Registry',
  backup_refused: 'Backup Refused',
} as const;
export type CommandProblemCode = keyof typeof commandProblemTitles;
