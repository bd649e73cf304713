export interface EncodedForm {
  headers: { 'content-type': string };
  body: Buffer;
}

/** A form as a browser sends it: bytes are a file, and a list is one part for each item. */
export async function encodeForm(
  parts: Record<string, string | Uint8Array | (string | Uint8Array)[]>,
): Promise<EncodedForm> {
  const form = new FormData();
  for (const [name, values] of Object.entries(parts)) {
    for (const value of [values].flat()) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'logo.png');
    }
  }
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return {
    headers: { 'content-type': request.headers.get('content-type') as string },
    body: Buffer.from(await request.arrayBuffer()),
  };
}
