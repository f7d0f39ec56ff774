import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { openCli } from './__fixtures__/open-cli.ts'
import { openModelServer } from './__fixtures__/open-model-server.ts'

const TOOLS = `
const input = { type: 'object' }
export const pay = { name: 'pay', description: 'Pays.', input, permission: 'ask', execute: () => 'paid' }
`

/** Creates a database on the test server. */
async function openDatabase() {
  const name = `parley_cli_${randomUUID().slice(0, 8)}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  url.pathname = `/${name}`
  return {
    url: url.href,
    password: url.password,
    async [Symbol.asyncDispose]() {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}

describe('parley --db postgres://…', () => {
  it('every command works on a PostgreSQL database and never prints its password', async () => {
    await using database = await openDatabase()
    await using server = await openModelServer([[{ name: 'pay', input: {} }], 'Paid.'])
    await using cli = await openCli({ environment: { OPENAI_BASE_URL: server.url } })
    await writeFile(join(cli.dir, 'tools.mjs'), TOOLS)
    const db = ['--db', database.url]
    const suspended = await cli.run('run', ...db, '--model', 'test-model', '--tools', 'tools.mjs', 'go')
    expect(suspended).toMatchObject({ code: 3, error: '' })
    expect(suspended.out).toMatch(/decide: parley approve .* --db postgres:\/\/.*:\*\*\*@/)
    expect(suspended.out).not.toContain(database.password)
    expect(await cli.run('steer', ...db, 'last', 'be quick')).toMatchObject({ code: 0 })
    const approved = await cli.run('approve', 'last', ...db)
    expect(approved).toMatchObject({ code: 0, error: '' })
    expect(approved.out).toContain('Paid.')
    expect(server.requests.at(-1)?.messages.at(-1)?.content).toBe('be quick')
    expect((await cli.run('resume', ...db)).out).toContain('has already ended: completed')
    expect((await cli.run('fork', ...db, 'last', '--input', 'and?')).out).toContain('The end.')
    expect((await cli.run('runs', ...db)).out.match(/completed/g)).toHaveLength(2)
    expect((await cli.run('trace', ...db)).out).toContain('branches off')
    expect((await cli.run('gc', ...db)).out).toBe('Removed 0 runs.\n')
  })

  it('errors about a PostgreSQL database take one line and omit the password', async () => {
    await using database = await openDatabase()
    await using cli = await openCli()
    const backup = await cli.run('backup', '--db', database.url, 'copy.db')
    expect(backup).toMatchObject({ code: 2, error: expect.stringContaining('use pg_dump') })
    const nowhere = new URL(database.url)
    nowhere.pathname = '/nowhere'
    const runs = await cli.run('runs', '--db', nowhere.href)
    expect(runs).toMatchObject({ code: 2, error: expect.stringContaining('no such database') })
    expect(runs.error + backup.error).not.toContain(database.password)
  })
})
