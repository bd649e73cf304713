import { completePostgresUrl, postgresUrlProblem, postgresVariables } from '../storage/postgres-url.ts';
import type { VariableReader } from './variable-reader.ts';

/** Complete: with what libpq reads from variables. Errors leave out the value, which can contain a password. */
export function readDatabaseUrl(reader: VariableReader): string {
  const url = reader.value('DATABASE_URL')?.trim() ?? 'sqlite:./data/registry.db';
  const addError = (requirement: string) => reader.addError(reader.nameOf('DATABASE_URL'), requirement);
  if (/^postgres(?:ql)?:/.test(url)) {
    const variables = Object.entries(postgresVariables).map(
      ([name, variable]) => [name, reader.value(variable)] as const,
    );
    const complete = completePostgresUrl(
      url,
      variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
    const problem = postgresUrlProblem(complete);
    if (problem !== null) addError(problem);
    return complete;
  }
  if (!/^sqlite:(?!\w+:\/\/|file:)./.test(url))
    addError('must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE');
  return url;
}
