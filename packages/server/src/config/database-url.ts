import { postgresVariables, readConnectionSettings } from '../storage/connection-settings.ts';
import { completePostgresUrl, parsePostgresUrl } from '../storage/postgres-url.ts';
import type { VariableReader } from './variable-reader.ts';

/** Complete: with what libpq reads from variables. Errors leave out the value, which can contain a password. */
export function readDatabaseUrl(reader: VariableReader): string {
  const url = reader.value('DATABASE_URL')?.trim() ?? 'sqlite:./data/registry.db';
  if (/^postgres(?:ql)?:/.test(url)) return readPostgresUrl(reader, url);
  if (!/^sqlite:(?!\w+:\/\/|file:)./.test(url)) {
    reader.addError(
      reader.nameOf('DATABASE_URL'),
      'must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
    );
  }
  return url;
}

function readPostgresUrl(reader: VariableReader, url: string): string {
  const own = parsePostgresUrl(url);
  const used = new Map(
    postgresVariables.filter(([parameter, variable]) => !own?.has(parameter) && reader.value(variable)),
  );
  const complete = completePostgresUrl(
    url,
    [...used].map(([parameter, variable]) => [parameter, reader.value(variable) ?? '']),
  );
  const name = reader.nameOf('DATABASE_URL');
  for (const { parameter, requirement } of readConnectionSettings(complete).errors) {
    const variable = parameter === null ? name : used.get(parameter);
    reader.addError(variable ? reader.nameOf(variable) : `${parameter} in ${name}`, requirement);
  }
  return complete;
}
