import { Client } from 'pg'

/** Drops the schema of a test, so that a shared database stays unchanged. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`drop schema if exists ${schema} cascade`)
  await client.end()
}
