import { isPostgres } from './is-postgres.ts'

/** The database as it may be printed: without the password of its address. */
export function shownDatabase(database: string): string {
  const url = isPostgres(database) ? URL.parse(database) : null
  if (url === null) return database
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}
