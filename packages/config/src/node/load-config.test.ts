import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { loadConfig } from './load-config.ts'

interface Folder extends AsyncDisposable {
  readonly path: (name: string) => string
}

/** A temporary folder with these files. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<Folder> {
  const root = await mkdtemp(join(tmpdir(), 'parley-config-'))
  const path = (name: string): string => join(root, name)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), text)
  }
  return { path, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

async function complaint(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.catch((thrown: unknown) => thrown)
  if (ParleyError.is(error)) return error.message
  throw new Error('the configuration has no problem', { cause: error })
}

describe('loadConfig', () => {
  it.each(['parley.yaml', 'parley.yml', 'parley.json', 'PARLEY.JSON'])(
    'loadConfig chooses the format of %s by its extension',
    async name => {
      await using folder = await folderOf({ [name]: '{"agents": {"clerk": {}}}' })
      expect((await loadConfig(folder.path(name))).data).toEqual({ agents: { clerk: {} } })
    },
  )

  it('loadConfig reads TOML', async () => {
    await using folder = await folderOf({ 'parley.toml': '[agents.clerk]\nmodel = "m"' })
    expect((await loadConfig(folder.path('parley.toml'))).data).toEqual({ agents: { clerk: { model: 'm' } } })
  })

  it('loadConfig inserts the content of files, also in profiles, and replaces no references in it', async () => {
    await using folder = await folderOf({
      'parley.yaml': `
profiles:
  careful: { instructions: { file: prompts/careful.md, volatile: true } }
agents:
  clerk:
    instructions: [Be short., { file: "\${NAME}.md" }, { templateFile: prompts/hello.txt, variables: [name] }]
    output: { file: bill.json, name: bill }`,
      'clerk.md': '\uFEFFYou keep ${NOTHING}.\r\n',
      'prompts/careful.md': 'Be careful.\n\n',
      'prompts/hello.txt': 'Hello {{name}}',
      'bill.json': '{"type": "object"}',
    })
    const { data } = await loadConfig(folder.path('parley.yaml'), { environment: { NAME: 'clerk' } })
    expect(data.profiles?.['careful']?.instructions).toEqual({ text: 'Be careful.\n', volatile: true })
    expect(data.agents['clerk']).toEqual({
      instructions: [
        'Be short.',
        { text: 'You keep ${NOTHING}.' },
        { template: 'Hello {{name}}', variables: ['name'] },
      ],
      output: { schema: { type: 'object' }, name: 'bill' },
    })
  })

  it('loadConfig resolves a SQLite path from the folder of the file, and keeps addresses', async () => {
    const store = async (place: string): Promise<string | undefined> => {
      await using folder = await folderOf({ 'a.yaml': `agents: { clerk: {} }\nruntime: { store: "${place}" }` })
      return (await loadConfig(folder.path('a.yaml'))).data.runtime?.store?.replace(folder.path('.'), '<folder>')
    }
    expect(await store('runs/a.db')).toBe('<folder>/runs/a.db')
    expect(await store('postgres://db/a')).toBe('postgres://db/a')
    expect(await store(':memory:')).toBe(':memory:')
  })

  it('loadConfig reports all named files that are missing, outside the folder, or invalid', async () => {
    await using folder = await folderOf({
      'config/a.yaml': `
agents:
  clerk:
    instructions: [{ file: missing.md }, { file: ../missing.md }, { file: /etc/passwd }]
    output: { file: list.json }
  other:
    instructions: { file: link.md }
    output: { file: broken.json }`,
      'secret.md': 'secret words',
      'config/list.json': '[1]',
      'config/broken.json': '{"a": "secret words}',
    })
    await symlink(folder.path('secret.md'), folder.path('config/link.md'))
    const said = await complaint(loadConfig(folder.path('config/a.yaml')))
    expect(said).toMatch(/line 4: agents\.clerk\.instructions\[0\]\.file cannot be used: .*missing\.md.*does not exist/)
    expect(said).toMatch(/instructions\[1\]\.file cannot be used: .*the path leads out of the configuration's folder/)
    expect(said).toMatch(/instructions\[2\]\.file cannot be used: .*the path leads out of the configuration's folder/)
    expect(said).toContain("line 5: agents.clerk.output.file names 'list.json', which must contain a JSON object")
    expect(said).toMatch(/line 7: agents\.other\.instructions\.file cannot be used: .*a link leads out/)
    expect(said).toContain("line 8: agents.other.output.file names 'broken.json', which must contain a JSON object")
    expect(said).not.toContain('secret words')
  })

  it('loadConfig reports an unknown extension, a missing file, and a variable that is not set', async () => {
    await using folder = await folderOf({ 'a.yaml': 'agents: { clerk: { model: "${NOT_SET}" } }', 'a.txt': '' })
    expect(await complaint(loadConfig(folder.path('a.txt')))).toContain('must end in one of .yaml, .yml, .json, .toml')
    expect(await complaint(loadConfig(folder.path('b.yaml')))).toMatch(/b\.yaml: the file does not exist/)
    const path = folder.path('a.yaml')
    expect(await complaint(loadConfig(path, { environment: {} }))).toBe(
      `${path}: line 1: agents.clerk.model names the environment variable NOT_SET, which is not set`,
    )
  })
})
