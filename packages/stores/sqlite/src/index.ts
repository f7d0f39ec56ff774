export { backUpSqliteStore, type SqliteBackupOptions } from './back-up-sqlite-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'
