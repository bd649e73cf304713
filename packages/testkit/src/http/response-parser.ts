import { HttpResponse } from './http-response.ts';

const headerEnd = Buffer.from('\r\n\r\n');

/** Parses the responses that a connection receives piece by piece (RFC 9112). */
export class ResponseParser {
  #received: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]);
  }

  /** The length of the incomplete response. */
  get pendingBytes(): number {
    return this.#received.length;
  }

  /** The next complete response, if it has arrived. */
  take({ isHead = false } = {}): HttpResponse | null {
    const end = this.#received.indexOf(headerEnd);
    if (end < 0) return null;
    const { status, reason, headers } = parseHeader(this.#received.toString('latin1', 0, end));
    const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
    const found = hasBody ? this.#body(headers, end + 4) : noBody(end + 4);
    if (!found) return null;
    this.#received = this.#received.subarray(found.end);
    return new HttpResponse(status, headers, found.body, reason);
  }

  /** The next complete response that is not interim (1xx), if it has arrived. */
  takeFinal({ isHead = false } = {}): HttpResponse | null {
    for (;;) {
      const response = this.take({ isHead });
      if (!response || response.status >= 200) return response;
    }
  }

  #body(headers: Record<string, string>, from: number): Framed | null {
    if (headers['transfer-encoding'] === 'chunked') return unchunk(this.#received, from);
    const end = from + Number(headers['content-length'] ?? 0);
    return this.#received.length < end ? null : { body: this.#received.subarray(from, end), end };
  }
}

interface Framed {
  body: Buffer;
  end: number;
}

function noBody(end: number): Framed {
  return { body: Buffer.alloc(0), end };
}

/** Of several fields with one name, the last. */
function parseHeader(text: string): { status: number; reason: string; headers: Record<string, string> } {
  const [statusLine = '', ...fields] = text.split('\r\n');
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(':');
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.slice(9, 12)), reason: statusLine.slice(13), headers };
}

function unchunk(received: Buffer, from: number): Framed | null {
  const pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (received.length < end + 2) return null;
    if (size === 0) return { body: Buffer.concat(pieces), end: end + 2 };
    pieces.push(received.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
