import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

export interface TemporarySchema extends AsyncDisposable {
  readonly url: string
  readonly schema: string
  /** Executes a statement in the schema, on another connection than the store's. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
}

/** The database of this test file. Another file may end the connections to its own database at any time. */
let database: Promise<string> | undefined

/** Schemas whose tables exist and are empty. */
const emptied: string[] = []

/** Reserves an unused schema in a database that only this test file uses. Disposing it drops the schema with its tables. */
export async function openSchema(server: string): Promise<TemporarySchema> {
  return connect(server, nameSchema(), async ({ schema, query }) => {
    await query(`drop schema if exists ${schema} cascade`)
  })
}

/**
 * Reserves a schema for a store. Disposing it empties its tables and keeps them for the next store of the file, because creating
 * the tables takes longer than most tests.
 */
export async function openEmptySchema(server: string): Promise<TemporarySchema> {
  return connect(server, emptied.pop() ?? nameSchema(), async ({ schema, query }) => {
    const tables = await query(
      `select tablename from pg_tables where schemaname = '${schema}' and tablename not like '%migration%'`,
    )
    await query(tables.map(({ tablename }) => `delete from ${String(tablename)}`).join(';'))
    emptied.push(schema)
  })
}

async function connect(
  server: string,
  schema: string,
  leave: (place: Pick<TemporarySchema, 'schema' | 'query'>) => Promise<void>,
): Promise<TemporarySchema> {
  database ??= createDatabase(server)
  const url = await database
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` })
  client.on('error', () => {})
  await client.connect()
  const query: TemporarySchema['query'] = async statement =>
    (await client.query<Record<string, unknown>>(statement)).rows
  return {
    url,
    schema,
    query,
    [Symbol.asyncDispose]: async () => {
      // The server may be gone.
      await leave({ schema, query }).catch(() => {})
      await client.end()
    },
  }
}

function nameSchema(): string {
  return `parley_${randomUUID().replaceAll('-', '')}`
}

/**
 * Creates a database. It is dropped after the test file.
 * @param setting A default of the database, for example `default_transaction_isolation = 'serializable'`.
 * @returns Its URL.
 */
export async function createDatabase(server: string, setting?: string): Promise<string> {
  const name = `parley_${randomUUID().replaceAll('-', '')}`
  await administer(server, [
    `create database ${name}`,
    ...(setting === undefined ? [] : [`alter database ${name} set ${setting}`]),
  ])
  created.push({ server, name })
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const created: { readonly server: string; readonly name: string }[] = []

/** Drops the databases of this test file. */
export async function dropDatabases(): Promise<void> {
  database = undefined
  emptied.length = 0
  for (const { server, name } of created.splice(0)) await administer(server, [`drop database ${name} with (force)`])
}

async function administer(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
