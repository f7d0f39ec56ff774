import type { Database } from 'better-sqlite3'
import { sql, type Compilable } from 'kysely'

/** A prepared statement with named values. */
export interface PreparedQuery<TValues, TRow> {
  /** Executes the statement. @returns The number of changed rows. */
  run(values: TValues): number
  get(values: TValues): TRow | undefined
  all(values: TValues): readonly TRow[]
}

/**
 * Compiles and prepares a query once, so that each call only binds its values (bench: tricks prepared-query). `build`
 * gets an expression with the name of each value in place of the value, so the parameters of the compiled query show the
 * order of the names. SQLite compiles a query with `order by` again each time that `?` is bound, because its plan may depend
 * on the value. It does not look into the expression `+?`, which has the same value (bench: tricks listed-expression).
 */
export function prepareQuery<TValues extends object, TRow>(
  database: Database,
  names: readonly (keyof TValues)[],
  build: (slots: TValues) => Compilable<TRow>,
): PreparedQuery<TValues, TRow> {
  const slots = Object.fromEntries(names.map(name => [name, sql`+${name}`])) as TValues
  const { sql: text, parameters } = build(slots).compile()
  const order = parameters as readonly (keyof TValues)[]
  const statement = database.prepare<unknown[], TRow>(text)
  const bind = (values: TValues): unknown[] => order.map(name => values[name])
  return {
    run: values => statement.run(bind(values)).changes,
    get: values => statement.get(bind(values)),
    all: values => statement.all(bind(values)),
  }
}
