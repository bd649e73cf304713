/** A variable of the environment, without which a part of the marketplace cannot start. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}: npm run marketplace does so for each of its processes.`);
  return value;
}
