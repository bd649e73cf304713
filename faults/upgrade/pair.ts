import { OperatingPage, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { Nginx } from '@appregistrar/testkit/programs/nginx';
import type { Source } from '../harness/defect.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';

interface PairParts {
  databaseUrl: string;
  /** The initial source of both. */
  source: Pick<Source, 'main'>;
}

/** Two processes of the service on one database, each listener behind nginx as `docs/reverse-proxy.md` configures it. */
export class Pair {
  readonly services: readonly [Service, Service];
  /** The origins for clients. */
  readonly publicUrl: string;
  readonly operatorUrl: string;

  /** Starts both processes. They serve until the end of the run. */
  static async start(run: Run, { databaseUrl, source }: PairParts): Promise<Pair> {
    const section = (await OperatingPage.read()).section('Configure nginx');
    const [variables = ''] = section.blocks('ini');
    const [configuration = ''] = section.blocks('nginx');
    const { TRUSTED_PROXIES = '' } = variablesOf(variables);
    // Without TLS, so `BASE_URL` must not have `https`. nginx forwards its host without the port.
    const env = { TRUSTED_PROXIES, OPERATOR_BASE_URL: 'http://127.0.0.1' };
    const services = [
      await Service.create({ source, databaseUrl, env }),
      await Service.create({ source, databaseUrl, env }),
    ] as const;
    for (const service of services) {
      run.atEnd(() => service.kill());
      await service.start();
    }
    const [publicProxy, operatorProxy] = [
      await startProxy(services.map(({ publicUrl }) => publicUrl) as [string, string], configuration),
      await startProxy(services.map(({ operatorUrl }) => operatorUrl) as [string, string], configuration),
    ];
    run.atEnd(() => Promise.all([publicProxy.stop(), operatorProxy.stop()]));
    return new Pair(services, publicProxy.plainUrl, operatorProxy.plainUrl);
  }

  private constructor(services: readonly [Service, Service], publicUrl: string, operatorUrl: string) {
    this.services = services;
    this.publicUrl = publicUrl;
    this.operatorUrl = operatorUrl;
  }
}

/** Repeats the upstream server line for each process. */
function startProxy(urls: [string, string], configuration: string): Promise<Nginx> {
  const [first, second] = urls.map((url) => new URL(url).port) as [string, string];
  const both = configuration.replace(
    /^ *server 127\.0\.0\.1:8080.*;$/m,
    (line) => `${line}\n${line.replace('8080', second)}`,
  );
  if (both === configuration) throw new Error('docs/reverse-proxy.md no longer shows the server behind nginx');
  return Nginx.start(both, Number(first));
}
