import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

export interface TemporarySchema extends AsyncDisposable {
  readonly url: string
  readonly schema: string
  /** Runs a statement beside the store, in the schema. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
}

/** A schema name that nobody uses; what is made in it goes with it. */
export async function openSchema(url: string): Promise<TemporarySchema> {
  const schema = `parley_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` })
  client.on('error', () => {})
  await client.connect()
  return {
    url,
    schema,
    query: async statement => (await client.query<Record<string, unknown>>(statement)).rows,
    [Symbol.asyncDispose]: async () => {
      await client.query(`drop schema if exists ${schema} cascade`).catch(() => {})
      await client.end()
    },
  }
}
