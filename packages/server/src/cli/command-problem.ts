/**
 * Problem codes that only the command line reports, with their titles. A closed list: programs that read `--json`
 * may rely on it. The codes of the registry's rules are in `kernel/problem-details.ts`.
 */
export const commandProblemTitles = {
  configuration_invalid: 'Invalid Configuration',
  database_not_found: 'Database Not Found',
  database_unusable: 'Unusable Database',
  outcome_unknown: 'Unknown Outcome',
  address_unusable: 'Unusable Address',
  file_unreadable: 'Unreadable File',
  file_unwritable: 'Unwritable File',
  registry_inconsistent: 'Inconsistent Registry',
  backup_refused: 'Backup Refused',
  archive_refused: 'Archive Refused',
  not_confirmed: 'Not Confirmed',
  usage_invalid: 'Wrong Usage',
  token_required: 'Token Required',
  server_unreachable: 'Unreachable Server',
  not_ready: 'Not Ready',
  records_refused: 'Records Refused',
} as const;
export type CommandProblemCode = keyof typeof commandProblemTitles;
