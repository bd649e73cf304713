const mark = Buffer.of(0xef, 0xbb, 0xbf);

/** The bytes of a file of text without the byte order mark with which some editors begin it. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return mark.equals(bytes.subarray(0, mark.length)) ? bytes.subarray(mark.length) : bytes;
}

/** The text of a file in UTF-8. */
export function fileText(bytes: Uint8Array): string {
  return Buffer.from(withoutMark(bytes)).toString('utf8');
}
