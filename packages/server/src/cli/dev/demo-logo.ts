/** An SVG of a disc in one colour with one quarter in another: enough to distinguish demo apps. */
export function demoLogo(color: number, accent: number): Uint8Array {
  const shapes = `<circle cx="1" cy="1" r="1" fill="${hex(color)}"/><path d="M1 1V0A1 1 0 0 1 2 1Z" fill="${hex(accent)}"/>`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2">${shapes}</svg>`);
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}
