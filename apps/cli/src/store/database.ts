export const DEFAULT_DATABASE = '.parley/parley.db'

/** Whether `--db` is the address of a PostgreSQL database instead of a SQLite file. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database)
}

/** Returns the value of `--db` for output, with the password of an address replaced by `***`. */
export function redactDatabase(database: string): string {
  const url = isPostgres(database) ? URL.parse(database) : null
  if (url === null) return database
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

/** Returns the option that selects the database, for a hint. Empty for the default one. */
export function onDatabase(database: string): string {
  return database === DEFAULT_DATABASE ? '' : ` --db ${redactDatabase(database)}`
}
