/** The header of a request: what signs it, and what describes its body. */
export function requestHeaders(signed: Signed, { body, userAgent }: { body: string; userAgent: string }) {
  return {
    'content-type': 'application/json',
    ...signed,
    'user-agent': userAgent,
    'content-length': String(Buffer.byteLength(body)),
  };
}

export type Signed = ReturnType<typeof signedHeaders>;

/** The headers of the Standard Webhooks specification, for a request sent at a time. */
export function signedHeaders({ id, at, signature }: { id: string; at: number; signature: string }) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signature,
  };
}
