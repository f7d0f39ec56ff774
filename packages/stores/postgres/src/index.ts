export { openPostgresLiveBus, type PostgresLiveBusOptions } from './open-postgres-live-bus.ts'
export { openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts'
