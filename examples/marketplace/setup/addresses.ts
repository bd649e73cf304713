/** Where each part of the marketplace listens: seven ports of this machine in a row. */
export interface Addresses {
  guide: string;
  registry: string;
  console: string;
  identity: string;
  portal: string;
  storefront: string;
  sampleApp: string;
}

export const defaultPort = 4700;

export function addressesFrom(port: number): Addresses {
  const at = (offset: number) => `http://127.0.0.1:${port + offset}`;
  return {
    guide: at(0),
    registry: at(1),
    console: at(2),
    identity: at(3),
    portal: at(4),
    storefront: at(5),
    sampleApp: at(6),
  };
}

export function portOf(address: string): string {
  return new URL(address).port;
}
