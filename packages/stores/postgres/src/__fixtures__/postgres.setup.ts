import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a real server: `DATABASE_URL`, or a server that runs as long as the tests. */
    readonly postgresUrl: string
  }
}

/** Runs once, before the first test that needs PostgreSQL. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') {
    project.provide('postgresUrl', given)
    return undefined
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return async () => server[Symbol.asyncDispose]()
}
