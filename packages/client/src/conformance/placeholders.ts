import { type HttpResponse, jsonAt } from './http-response.ts';
import type { HttpRequest, Json } from './interface-guarantee.ts';

const placeholder = /\{(\w+)([.:/][^{}]*)?\}/g;

/** What placeholders stand for: values of the run, and responses to earlier steps by their names. */
export class Placeholders {
  readonly #values: Readonly<Record<string, string | undefined>>;
  readonly #responses: Readonly<Record<string, HttpResponse>>;

  constructor(
    values: Readonly<Record<string, string | undefined>>,
    responses: Readonly<Record<string, HttpResponse>> = {},
  ) {
    this.#values = values;
    this.#responses = responses;
  }

  with(name: string, response: HttpResponse): Placeholders {
    return new Placeholders(this.#values, { ...this.#responses, [name]: response });
  }

  /** A part of an earlier response: `first/name`, `first.etag`, `first:status`, or `first`, its whole body. */
  valueAt(reference: string): Json | undefined {
    const [, name = '', part = ''] = /^(\w+)(.*)$/.exec(reference) ?? [];
    const response = this.#responses[name];
    if (!response) return undefined;
    if (part === ':status') return response.status;
    return part.startsWith('.') ? response.headers[part.slice(1)] : jsonAt(response, part);
  }

  /** Braces around anything unknown stay. `encode` is applied to what is filled in. */
  fill(text: string, encode = (value: string) => value): string {
    return text.replaceAll(placeholder, (braces: string, name: string, part?: string) => {
      const value = this.#values[name];
      if (part === undefined) return value === undefined ? braces : encode(value);
      if (!this.#responses[name]) return braces;
      return encode(String(this.valueAt(name + part) ?? `(no ${part.slice(1)})`));
    });
  }

  fillRequest({ method, path, headers, body }: HttpRequest): HttpRequest {
    const values = (value: string | readonly string[] | null) => {
      if (value === null) return null;
      return typeof value === 'string' ? this.fill(value) : value.map((one) => this.fill(one));
    };
    return {
      method,
      path: this.fill(path),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, values(value)])),
      ...(body !== undefined && { body: typeof body === 'string' ? this.fill(body, inJson) : body }),
    };
  }

  fillJson(value: Json): Json {
    if (typeof value === 'string') return this.fill(value);
    if (Array.isArray(value)) return value.map((element) => this.fillJson(element));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, this.fillJson(inner)]));
  }
}

/** As inside of quotes. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
