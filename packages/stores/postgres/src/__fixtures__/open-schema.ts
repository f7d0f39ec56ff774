import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

export interface TemporarySchema extends AsyncDisposable {
  readonly url: string
  readonly schema: string
  /** Executes a statement in the schema, on another connection than the store's. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
}

/** Reserves an unused schema. Disposing it drops the schema with its tables. */
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
