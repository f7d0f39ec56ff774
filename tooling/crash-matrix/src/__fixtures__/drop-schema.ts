import { Client } from 'pg'

/** Leaves a database that is not ours as it was. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`drop schema if exists ${schema} cascade`)
  await client.end()
}
