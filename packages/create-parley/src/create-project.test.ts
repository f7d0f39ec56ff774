import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { addToProject } from './add-to-project.ts'
import { namesOf, PROVIDERS, STORES, TEMPLATES } from './choices.ts'
import { runCreate } from './run-create.ts'

const templates = join(import.meta.dirname, '../templates')
const parts = join(import.meta.dirname, '../parts')

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}
const range = `^${version}`

interface Place extends Disposable {
  readonly folder: string
}

function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'parley-create-'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

async function create(args: readonly string[], isTerminal = false) {
  let out = ''
  let err = ''
  const code = await runCreate({ args, isTerminal, out: text => (out += text), err: text => (err += text) })
  return { code, out, err }
}

interface Manifest {
  name: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

describe('create-parley', () => {
  it.each(namesOf(TEMPLATES))('create-parley creates a project from the template %s', async template => {
    using place = openPlace()
    const folder = join(place.folder, 'My-Agent')
    const flags = ['--template', template, '--provider', 'anthropic', '--store', 'postgres']
    const { code, out, err } = await create([folder, ...flags])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('npm install')
    const { name, dependencies, devDependencies, scripts } = manifestOf(folder)
    expect(name).toBe('my-agent')
    expect(dependencies).toMatchObject({ '@parley/anthropic': range, '@parley/postgres': range })
    expect(Object.keys(dependencies)).not.toContain('@parley/demo-model')
    expect(JSON.stringify({ dependencies, devDependencies })).not.toContain('workspace:')
    for (const [script, text] of Object.entries(scripts)) {
      const [file] = /src\/\S+/.exec(text) ?? []
      if (file !== undefined) expect([script, existsSync(join(folder, file))]).toEqual([script, true])
    }
    expect(readFileSync(join(folder, 'src/model.ts'), 'utf8')).toContain('createAnthropic')
    expect(readFileSync(join(folder, '.env.example'), 'utf8')).toMatch(/^ANTHROPIC_API_KEY=\nDATABASE_URL=/)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('.env\n')
    expect(existsSync(join(folder, 'gitignore'))).toBe(false)
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('npm start')
  })

  it('create-parley takes the defaults with --yes', async () => {
    using place = openPlace()
    const folder = join(place.folder, 'a')
    expect(await create([folder, '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(Object.keys(manifestOf(folder).dependencies)).toEqual(
      expect.arrayContaining(['@parley/demo-model', '@parley/sqlite']),
    )
  })

  it.each([
    [['x', '--template', 'big'], "--template: is 'big'; choose one of minimal, chat, worker, mcp, workflow"],
    [['x', '--provider', 'acme'], "--provider: is 'acme'; choose one of demo, openai, anthropic, google, ollama"],
    [['x', '--speed'], "options: Unknown option '--speed'; see --help"],
    [['x', 'y'], 'y: only one folder can be created'],
    [[], 'folder: is missing; name one, or use --yes for the defaults'],
    [
      ['x', '--template', 'mcp'],
      '--provider: is missing, and this is not a terminal; give it, or use --yes for the defaults',
    ],
    [['a b', '--yes'], 'a b: cannot be the name of a package; use letters, digits, - and _'],
  ])('create-parley answers %j with one clear error', async (args, message) => {
    expect(await create(args)).toEqual({ code: 1, out: '', err: `create-parley: ${message}\n` })
  })

  it('create-parley refuses a folder with files, and leaves it unchanged', async () => {
    using place = openPlace()
    writeFileSync(join(place.folder, 'notes.txt'), 'mine')
    const { code, err } = await create([place.folder, '--yes'])
    expect(code).toBe(1)
    expect(err).toContain('the folder is not empty; name another folder, or run `parley init` in it')
    expect(existsSync(join(place.folder, 'package.json'))).toBe(false)
  })
})

describe('addToProject', () => {
  it('addToProject adds an agent, and keeps what the project has', async () => {
    using place = openPlace()
    writeFileSync(
      join(place.folder, 'package.json'),
      '{\n    "name": "shop",\n    "dependencies": { "zod": "^4.0.0" }\n}\n',
    )
    writeFileSync(join(place.folder, '.gitignore'), 'dist\n.env')
    const options = { folder: place.folder, into: 'src/agents', provider: 'openai', store: 'sqlite' } as const
    expect(await addToProject(options)).toContain('src/agents/agent.ts')
    const { name, dependencies } = manifestOf(place.folder)
    expect({ name, zod: dependencies['zod'], openai: dependencies['@parley/openai'] }).toEqual({
      name: 'shop',
      zod: '^4.0.0',
      openai: range,
    })
    expect(readFileSync(join(place.folder, 'package.json'), 'utf8')).toMatch(/^ {4}"name"/m)
    expect(readFileSync(join(place.folder, '.env.example'), 'utf8')).toContain('OPENAI_API_KEY=')
    expect(readFileSync(join(place.folder, 'package.json'), 'utf8')).toContain('"@types/node"')
    expect(readFileSync(join(place.folder, '.gitignore'), 'utf8')).toBe('dist\n.env\n.parley\n')
    await expect(addToProject(options)).rejects.toThrow(
      'src/agents/agent.ts: exists already; choose another folder with --into',
    )
  })

  it('addToProject names the missing package.json', async () => {
    using place = openPlace()
    mkdirSync(join(place.folder, 'empty'))
    const options = { folder: join(place.folder, 'empty'), into: 'src', provider: 'demo', store: 'memory' } as const
    await expect(addToProject(options)).rejects.toThrow('empty/package.json: is missing; run this in a project')
  })
})

describe('a template', () => {
  it.each(namesOf(TEMPLATES))('the template %s uses the parts that need no key and no database', template => {
    const read = (path: string): string => readFileSync(path, 'utf8')
    expect(read(join(templates, template, 'src/model.ts'))).toBe(read(join(parts, 'models/demo.ts')))
    expect(read(join(templates, template, 'src/store.ts'))).toBe(read(join(parts, 'stores/memory.ts')))
  })

  it('every provider and store has a part that imports its package', () => {
    for (const [folder, table] of Object.entries({ models: PROVIDERS, stores: STORES }))
      for (const [name, part] of Object.entries(table))
        expect(readFileSync(join(parts, folder, `${name}.ts`), 'utf8')).toContain(`from '${part.package}'`)
  })

  it.concurrent.each(namesOf(TEMPLATES))('the tests of the template %s pass', async template => {
    const args = ['--conditions=@parley/source', '--test', '--test-reporter=tap']
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(templates, template), env })
    expect(stdout).toMatch(/^# pass [1-9]/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  })

  it.concurrent.each([
    ['minimal', '408'],
    ['workflow', 'Report\n- 12 * 34 = 408.\n- 7 * 6 = 42.\n'],
  ])('the program of the template %s ends with its answer, without a key', async (template, answer) => {
    const args = ['--conditions=@parley/source', 'src/main.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(templates, template) })
    expect(stdout).toContain(answer)
  })
})
