export { PostgresCluster } from 'app-registry-testkit/engines/postgres-cluster';
