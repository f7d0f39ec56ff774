import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from './create-program.ts'
import { loadCommand } from './load-command.ts'

const SRC = join(import.meta.dirname, '..')
const readme = readFileSync(join(SRC, '../README.md'), 'utf8')

/** Every environment variable of ours, and of the OpenAI API, that a source file names. */
const variables = new Set(
  globSync('**/*.ts', { cwd: SRC })
    .filter(file => !/\.test(?:-d)?\.ts$|__fixtures__|program\/environment\.ts$/.test(file))
    .flatMap(file => readFileSync(join(SRC, file), 'utf8').match(/\b(?:PARLEY|OPENAI)_[A-Z]\w*/g) ?? []),
)

async function allCommands(command: Command): Promise<readonly Command[]> {
  await loadCommand(command)
  const below = await Promise.all(command.commands.map(allCommands))
  return [command, ...below.flat()]
}

let help = ''
const terminal = {
  out: (text: string) => void (help += text),
  error: () => {},
  style: (_: string, text: string) => text,
}
const program = createProgram({
  name: 'parley',
  version: '1',
  terminal: { ...terminal, columns: undefined, isInteractive: false, isPlain: true, hasCursor: false },
})
const commands = await allCommands(program)
program.outputHelp()

it('the sources name environment variables', () => {
  expect([...variables]).toEqual(expect.arrayContaining(['PARLEY_WORKER', 'PARLEY_PLAIN', 'PARLEY_API_KEY']))
})

it.each([...variables].toSorted())('the environment variable %s is in the help and in the README', name => {
  expect(help).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'))
  expect(readme).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'))
})

const flags = new Set(
  commands
    .filter(command => command.name() !== 'complete')
    .flatMap(command => command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')),
)

it.each([...flags].filter(flag => flag !== '--version').toSorted())(
  'the option %s is in one row of the README',
  flag => {
    expect(readme.match(new RegExp(`^\\| [^|]*\`(?:-\\w, )?${flag}\``, 'gm'))).toHaveLength(1)
  },
)
