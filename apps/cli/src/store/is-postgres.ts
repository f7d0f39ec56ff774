/** Whether `--db` is the address of a PostgreSQL database, and not a file. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database)
}
