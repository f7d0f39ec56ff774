import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDocsArchive } from '@parley/docs/docs-archive'
import { createMcpServer, openMcpServer } from '@parley/mcp'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocsArchive } from '../docs/docs-archive.ts'
import { docsTools } from '../docs/docs-tools.ts'
import { defineDocsCommand } from './docs.ts'

const ROOT = join(import.meta.dirname, '../../../..')
let folder = ''
let archive = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-docs-'))
  archive = writeDocsArchive(ROOT, folder)
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

async function run(...words: string[]): Promise<string> {
  let out = ''
  const command = new Command('docs').exitOverride()
  const terminal = {
    out: (part: string) => void (out += part),
    error: () => {},
    style: (_: string, part: string) => part,
  }
  const screen = { columns: undefined, isInteractive: false, isPlain: true, hasCursor: false }
  defineDocsCommand(command, { ...terminal, ...screen }, archive)
  await command.parseAsync(words, { from: 'user' })
  return out
}

describe('parley docs', () => {
  it('parley docs lists the pages, with a guide, a recipe and an error code', async () => {
    const lines = (await run()).split('\n')
    expect(lines).toEqual(expect.arrayContaining(['concepts/journal  The journal', 'errors/model-auth  model-auth']))
    expect(lines).toContain('guides/engine  @parley/engine')
    expect(lines).toContain('recipes/crash-and-resume  Resume after a crash without paying twice')
  })

  it('parley docs PAGE prints the page of an address in each of its forms', async () => {
    const page = await run('errors/model-auth')
    expect(page).toMatch(/^# `model-auth`\n\n\*\*Cause\.\*\*/)
    expect(await run('/errors/model-auth.md')).toBe(page)
    expect(await run('start/')).toBe(await run('start/index.md'))
  })

  it('parley docs refuses an unknown address and names the closest one', async () => {
    await expect(run('errors/model-aut')).rejects.toThrow("did you mean 'errors/model-auth'")
  })

  it('parley docs names the page of another folder, or the pages about the words', async () => {
    await expect(run('approvals')).rejects.toThrow("there is no page 'approvals'; did you mean 'concepts/approvals'?")
    await expect(run('guides/crash-resuming')).rejects.toThrow(/did you mean .*'recipes\/crash-and-resume'/)
  })

  it('parley docs fails with file-unreadable if the archive is missing', () => {
    expect(() => readDocsArchive(join(folder, 'missing'))).toThrow('has no documentation')
  })

  it('the archive has at most 200 KB', () => {
    expect(readDocsArchive(archive).length).toBeGreaterThan(100)
    expect(statSync(archive).size).toBeLessThan(200_000)
  })
})

describe('parley docs mcp', () => {
  it('the MCP server of the documentation searches and reads pages', async () => {
    await using server = createMcpServer({ name: 'docs', version: '1', tools: docsTools(readDocsArchive(archive)) })
    const { url } = await server.listen()
    await using client = await openMcpServer({ transport: 'http', name: 'docs', url })
    const textOf = async (tool: string, input: Record<string, string>): Promise<unknown> =>
      (await client.callTool(tool, input)).content[0]?.['text']
    expect(await textOf('search_docs', { query: 'approval other process' })).toContain('recipes/approval: ')
    expect(await textOf('search_docs', { query: 'tool-interrupted' })).toMatch(/^errors\/tool-interrupted: /)
    expect(await textOf('read_docs', { page: 'concepts/effects' })).toContain('# Effects and resume')
    expect(await client.callTool('read_docs', { page: 'nothing/like/this' })).toMatchObject({ isError: true })
  })
})
