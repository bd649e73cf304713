/** A connection URI without its parameters in the query; `@` before the host may also be in the password. */
const form =
  /^postgres(?:ql)?:\/\/(?:(?<login>[^/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/s;
const hostForm = /^(?:\[(?<ipv6>[^\]]+)\]|(?<name>[^:[\]]*))(?::(?<port>[^:]*))?$/;

/**
 * The parameters of a connection URI, named and read as libpq does (PostgreSQL's manual, 32.1.1.2, "Connection URIs"): those
 * in the query replace those before it. Lists of hosts and of ports have commas between their items. Null for anything else.
 */
export function parsePostgresUrl(url: string): Map<string, string> | null {
  const { login = '', hosts = '', database = '', query = '' } = form.exec(url)?.groups ?? {};
  if (!form.test(url)) return null;
  try {
    return new Map([
      ...loginOf(login),
      ...hostsOf(hosts),
      ...given('dbname', decode(database)),
      ...parametersOf(query),
    ]);
  } catch {
    return null;
  }
}

/** The URL with further parameters, which it must not have yet. */
export function completePostgresUrl(url: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return url;
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function loginOf(text: string): [string, string][] {
  const [user = '', ...password] = text.split(':');
  return [...given('user', decode(user)), ...given('password', decode(password.join(':')))];
}

function hostsOf(text: string): [string, string][] {
  const hosts = text.split(',').map((host) => {
    const parts = hostForm.exec(host)?.groups;
    if (!parts) throw new Error('not a host');
    return { name: decode(parts.ipv6 ?? parts.name ?? ''), port: parts.port ?? '' };
  });
  const names = hosts.map(({ name }) => name);
  const ports = hosts.map(({ port }) => port);
  return [
    ...(names.some((name) => name !== '') ? given('host', names.join(',')) : []),
    ...(ports.some((port) => port !== '') ? given('port', ports.join(',')) : []),
  ];
}

function parametersOf(query: string): [string, string][] {
  const parts = query.split('&').filter((part) => part !== '');
  return parts.flatMap((part) => {
    const [name = '', ...value] = part.split('=');
    // JDBC's, which libpq reads too.
    if (part === 'ssl=true') return [['sslmode', 'require']];
    return given(decode(name), decode(value.join('=')));
  });
}

function given(name: string, value: string): [string, string][] {
  return value === '' ? [] : [[name, value]];
}

/** Unlike in forms, `+` is not a space. Throws on `%` without two hexadecimal digits. */
function decode(text: string): string {
  return decodeURIComponent(text);
}
