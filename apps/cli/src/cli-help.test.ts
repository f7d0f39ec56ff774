import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { openCli } from './__fixtures__/open-cli.ts'
import { main } from './main.ts'
import { candidatesFor } from './program/candidates.ts'
import { createProgram } from './program/create-program.ts'
import { loadCommand } from './program/load-command.ts'

/** Runs a command in this process. Only for commands that do not use the disk. */
async function call(...args: string[]) {
  let [out, error] = ['', '']
  const code = await main(args, {
    terminal: {
      out: text => void (out += text),
      error: text => void (error += text),
      style: (_, text) => text,
      columns: undefined,
      isInteractive: false,
      isPlain: true,
      hasCursor: false,
    },
  })
  process.exitCode = 0
  return { code, out, error }
}

function program(): Command {
  const terminal = { out: () => {}, error: () => {}, style: (_: string, text: string) => text } as const
  return createProgram({
    name: 'parley',
    version: '1',
    terminal: { ...terminal, columns: undefined, isInteractive: false, isPlain: true, hasCursor: false },
  })
}

async function allCommands(command: Command): Promise<readonly Command[]> {
  await loadCommand(command)
  const below = await Promise.all(command.commands.map(allCommands))
  return [command, ...below.flat()]
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()]
}

const commands = (await allCommands(program())).filter(command => command.name() !== 'complete').map(pathOf)

describe('the help', () => {
  it.each(commands.map(path => [path.join(' ') || 'the program', path] as const))(
    'the help of %s has examples that name this command',
    async (_, path) => {
      const { code, out } = await call(...path, '--help')
      expect(code).toBe(0)
      expect(out).toContain(`Usage: ${['parley', ...path].join(' ')}`)
      expect(out).toContain(`\nExamples:\n  ${['parley', ...path].join(' ')}`)
    },
  )

  it('parley help NAME prints the same as NAME --help', async () => {
    expect(await call('help', 'run')).toEqual(await call('run', '--help'))
    expect((await call('help')).out).toContain('\n  run ')
    expect((await call('help')).out).not.toContain('\n  complete ')
  })

  it('parley --version prints the version of the package', async () => {
    expect((await call('--version')).out).toBe(`${manifest.version}\n`)
  })

  it.each([
    [['rnu'], "unknown command 'rnu'. Did you mean run?"],
    [['run', '--instruction', 'x', 'y'], "unknown option '--instruction'. Did you mean --instructions?"],
    [['mcp', 'lst'], "unknown command 'lst'. Did you mean list?"],
  ])('parley %j suggests the name that was meant, in one line', async (args, message) => {
    expect(await call(...args)).toEqual({ code: 2, out: '', error: `parley: ${message}\n` })
  })

  it('the help loads neither the engine nor a store', async () => {
    await using cli = await openCli({
      isUnbundled: true,
      environment: {
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '__fixtures__/record-imports.mjs')).href}`,
        IMPORTS: 'imports.txt',
      },
    })
    const { readFile } = await import('node:fs/promises')
    const loadedBy = async (...args: string[]): Promise<string> => {
      await writeFile(join(cli.dir, 'imports.txt'), '')
      await cli.run(...args)
      return readFile(join(cli.dir, 'imports.txt'), 'utf8')
    }
    for (const args of [['--help'], ['rnu'], ['complete', '--', 'r']]) {
      expect(await loadedBy(...args)).not.toMatch(/\/packages\//)
    }
    expect(await loadedBy('runs')).not.toMatch(/\/packages\/(?:engine|stores|evals)\//)
    // Only commands that test agents need the evals, and not for their help.
    for (const args of [
      ['run', '2 + 2'],
      ['eval', '--help'],
      ['bisect', '--help'],
      ['serve', '--help'],
    ])
      expect(await loadedBy(...args)).not.toMatch(/\/packages\/evals\//)
  })
})

describe('a mistyped path', () => {
  it('a mistyped --db or --root creates nothing', async () => {
    await using cli = await openCli()
    const database = await cli.run('run', '--db', 'gone/deep/parley.db', '2 + 2')
    expect(database).toMatchObject({ code: 2, error: expect.stringContaining('the folder gone/deep does not exist') })
    expect(existsSync(join(cli.dir, 'gone'))).toBe(false)
    await writeFile(join(cli.dir, 'file'), '')
    for (const [root, problem] of [
      ['gone', "--root: the folder 'gone' does not exist"],
      ['file', "--root: 'file' is not a folder"],
    ] as const)
      expect(await cli.run('run', '--root', root, '2 + 2')).toEqual({ code: 2, out: '', error: `parley: ${problem}\n` })
    expect(existsSync(join(cli.dir, '.parley'))).toBe(false)
  })

  it('parley doctor --db :memory: leaves no file behind', async () => {
    await using cli = await openCli()
    await cli.run('doctor', '--db', ':memory:')
    expect(existsSync(join(cli.dir, ':memory:'))).toBe(false)
  })

  it('an unknown agent of a file is answered with the closest name', async () => {
    await using cli = await openCli()
    await writeFile(join(cli.dir, 'p.yaml'), 'agents: { clerk: { model: demo }, judge: { model: demo } }')
    const { error } = await cli.run('run', '--config', 'p.yaml', 'clerck', 'hello')
    expect(error).toContain("There is no agent named 'clerck'. Known agents: clerk, judge. Did you mean clerk?")
  })
})

describe('the completion', () => {
  const wordsFor = async (...words: string[]): Promise<string[]> =>
    (await candidatesFor(program(), words)).candidates.map(({ word }) => word)

  it('candidatesFor lists commands, subcommands, options and the values of an option', async () => {
    expect(await wordsFor('')).toEqual(expect.arrayContaining(['run', 'chat', 'completion']))
    expect(await wordsFor('')).not.toContain('complete')
    expect(await wordsFor('mcp', '')).toEqual(expect.arrayContaining(['list', 'call']))
    expect(await wordsFor('mcp', 'call', '-')).toEqual(expect.arrayContaining(['--config', '--json', '--help']))
    expect(await wordsFor('serve', '--profile', '')).toEqual(['standard', 'reference'])
    expect(await wordsFor('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await candidatesFor(program(), ['trace', ''])).toEqual({ candidates: [], wants: 'run' })
    expect(await candidatesFor(program(), ['steer', 'x', ''])).toEqual({ candidates: [], wants: undefined })
  })

  it('parley complete lists ids of runs and names of agents', async () => {
    await using cli = await openCli()
    expect((await cli.run('complete', '--', 'trace', '')).out).toBe('')
    await cli.run('run', '-q', '2 + 2')
    expect((await cli.run('complete', '--', 'trace', '')).out).toMatch(
      /^last\tthe newest run\n[0-9a-f-]{8,}\tassistant, completed, .*\n$/,
    )
    await writeFile(join(cli.dir, 'p.yaml'), 'agents: { clerk: { model: demo }, judge: { model: demo } }')
    expect((await cli.run('complete', '--', 'chat', '--config', 'p.yaml', 'c')).out).toBe('clerk\tagent\n')
  })

  it.each(['bash', 'zsh', 'fish'])('the script for %s is valid and asks parley complete', async shell => {
    const { code, out } = await call('completion', shell)
    expect(code).toBe(0)
    expect(out).toContain('parley complete -- ')
    const { status, error } = spawnSync(shell, ['-n'], { input: out })
    // Only bash is installed everywhere.
    if (error === undefined) expect(status).toBe(0)
  })

  it('bash completes a word with the script', async () => {
    await using cli = await openCli()
    const bin = join(import.meta.dirname, 'bin.ts')
    const script = (await call('completion', 'bash')).out
    const { stdout } = spawnSync(
      'bash',
      [
        '-c',
        `
      parley() { '${process.execPath}' --conditions=@parley/source '${bin}' "$@"; }
      ${script}
      COMP_WORDS=(parley serve --pro) COMP_CWORD=2
      _parley_complete
      echo "\${COMPREPLY[@]}"`,
      ],
      { cwd: cli.dir },
    )
    expect(stdout.toString()).toBe('--profile\n')
  })
})
