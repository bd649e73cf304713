import type { AppRegistryEnvironment } from './options.ts';

/**
 * The part of an OpenAPI document that contains the base URLs.
 *
 * @example
 * const document: PublishedServers = await (await fetch('https://apps.example.com/openapi.json')).json();
 * console.log(environmentsOf(document).Development.baseUrl);
 */
export interface PublishedServers {
  /** The base URLs, with their names. */
  servers?: readonly {
    /** The base URL. */
    url: string;
    /** `Production` or `Development`. */
    description?: string;
  }[];
}

/**
 * The environments of a deployment, from the OpenAPI document that it publishes at `/openapi.json`. Store the document
 * in your project, or fetch it. Throws a `TypeError` if it does not name both.
 *
 * @example
 * const document = await (await fetch('https://apps.example.com/openapi.json')).json();
 * const { Production, Development } = environmentsOf(document);
 * const production = new AppRegistryClient({ token, environment: Production });
 * const development = new AppRegistryClient({ token, environment: Development });
 */
export function environmentsOf(
  document: PublishedServers,
): Record<'Production' | 'Development', AppRegistryEnvironment> {
  const environment = (name: string): AppRegistryEnvironment => {
    const server = document.servers?.find(({ description }) => description === name);
    if (!server) throw new TypeError(`The document names no ${name} server. Pass the /openapi.json of a registry.`);
    return { baseUrl: server.url };
  };
  return { Production: environment('Production'), Development: environment('Development') };
}
