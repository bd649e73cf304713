/** `interface`: what every registry must do. `full`: also what this registry documents where the interface is silent. */
export type Profile = 'interface' | 'full';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

/** What checking a guarantee requires. */
export type Need = 'otherDeveloperToken' | 'otherApp' | 'logo' | 'noLogo' | 'installation' | 'draft';

/**
 * A guarantee as data: the requests and the expected responses.
 *
 * Text of a request or of an expected value may hold placeholders: `{app}`, `{otherApp}`, `{logo}`, `{developerToken}`,
 * `{platformToken}`, `{otherDeveloperToken}`, `{unique}` (8 characters, the same for a whole run), and parts of the
 * response to an earlier step: `{first.etag}`, a header, and `{first/listingInfo/backgroundColor}`, a JSON Pointer.
 */
export interface InterfaceGuarantee {
  /** The guarantee in a sentence. */
  name: string;
  /** The sections that state it. */
  source: string;
  needs?: readonly Need[];
  /** The content of the app is the same before and after the steps; of the profile `full` its whole view and its ETag. */
  changesNothing?: true;
  steps: readonly Step[];
}

export interface Step {
  /** The name under which later steps refer to the response. */
  as?: string;
  /** The expectation applies to each. */
  requests: readonly HttpRequest[];
  expect: Expectation;
}

export interface HttpRequest {
  method: string;
  /** Relative to the base address. */
  path: string;
  /** A header with several values is sent as often; `Host` and `Content-Length` are added unless given, null omits one. */
  headers: Readonly<Record<string, string | readonly string[] | null>>;
  /** Text is sent in UTF-8. */
  body?: string | { readonly hex: string };
}

export interface Expectation {
  /** Absent: any. */
  status?: number | '4xx';
  /** The code of the problem. */
  code?: string;
  /** All validation errors, as `pointer code`, in any order. */
  errors?: readonly string[];
  /** By their names in lower case. */
  headers?: Readonly<Record<string, Expected>>;
  /** By JSON Pointer. */
  body?: Readonly<Record<string, Expected>>;
  /** The body as text. */
  text?: Expected;
}

/** What a header or a value of a body must be. */
export type Expected =
  | { readonly is: ValueType }
  | { readonly equals: Json }
  /** The value at a place of an earlier response, such as `first/name`. */
  | { readonly sameAs: string }
  /** The length of the list at a place of an earlier response. */
  | { readonly lengthOf: string }
  | { readonly length: number }
  /** A regular expression, with the flag `u`. */
  | { readonly matches: string }
  | { readonly oneOf: readonly Json[] }
  | { readonly not: Expected }
  | { readonly optional: Expected }
  | { readonly each: Expected }
  /** Other fields are allowed. */
  | { readonly fields: Readonly<Record<string, Expected>> };

type ValueType = 'absent' | 'present' | 'string' | 'integer' | 'boolean' | 'object' | 'list';
