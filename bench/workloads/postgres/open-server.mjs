import pg from 'pg'
import { startPostgres } from '../../../packages/stores/postgres/src/__fixtures__/start-postgres.ts'

/** Opens the server at `DATABASE_URL`, or starts one whose commits reach the disk. @returns Its address as the shared value. */
export async function openPostgresServer() {
  const given = process.env.DATABASE_URL
  if (given) return { value: given, [Symbol.asyncDispose]: async () => {} }
  const server = await startPostgres({ fsync: true })
  return { value: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Creates an empty schema for one measurement. */
export async function openSchema(url) {
  const schema = `bench_${process.pid}_${Date.now()}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create schema ${schema}`)
  return {
    schema,
    client,
    async [Symbol.asyncDispose]() {
      await client.query(`drop schema ${schema} cascade`)
      await client.end()
    },
  }
}
