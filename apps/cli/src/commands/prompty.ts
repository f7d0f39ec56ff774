import type { PromptyMessage } from '@parley/prompty'
import { describeError, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { inputOption, parsePromptyInputs } from '../flags/prompty-inputs.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'

/** Defines the command `parley prompty render|check`. */
export function definePromptyCommand(command: Command, terminal: Terminal): void {
  command.description('Renders and checks .prompty files without calling a model.')
  const render = command
    .command('render')
    .summary('print the messages of a file')
    .description('Prints the messages that a file renders from its inputs.')
    .argument('<file>', '.prompty file')
    .addOption(inputOption())
    .option('--json', 'print the messages as JSON')
    .action(async (file: string, flags: RenderFlags) => renderFile(file, flags, terminal))
  const check = command
    .command('check')
    .summary('print the errors and warnings of files')
    .description('Reads .prompty files. Prints their errors, and warnings about outdated syntax.')
    .argument('<files...>', '.prompty files')
    .action(async (files: readonly string[]) => {
      process.exitCode = await checkFiles(files, terminal)
    })
  withExamples(command, [['prompty check *.prompty', 'prints the problems of files']])
  withExamples(render, [['prompty render ask.prompty --input question="…"', 'prints the messages of a file']])
  withExamples(check, [['prompty check *.prompty', 'prints the problems of files']])
}

interface RenderFlags {
  readonly input?: readonly string[]
  readonly json?: boolean
}

async function renderFile(file: string, { input, json }: RenderFlags, terminal: Terminal): Promise<void> {
  const { createPrompty } = await import('@parley/prompty/node')
  const { load, prepare } = createPrompty()
  const prompt = await load(file)
  const kinds = new Map(prompt.inputs.map(({ name, kind }) => [name, kind]))
  const messages = await prepare(prompt, parsePromptyInputs(input, kinds))
  for (const warning of prompt.warnings) terminal.error(`parley: ${warning}\n`)
  if (json === true) terminal.out(`${JSON.stringify(messages, null, 2)}\n`)
  else
    for (const message of messages)
      terminal.out(`${terminal.style('bold', `${message.role}:`)}\n${contentText(message)}\n\n`)
}

function contentText({ content }: PromptyMessage): string {
  return content.map(part => (part.kind === 'text' ? part.value : `[${part.kind} ${part.mediaType ?? ''}]`)).join('')
}

async function checkFiles(files: readonly string[], terminal: Terminal): Promise<number> {
  const { createPrompty } = await import('@parley/prompty/node')
  const { load } = createPrompty()
  let failed = 0
  for (const file of files) {
    try {
      const { model, tools, inputs, warnings } = await load(file)
      const facts = [`model ${model?.id ?? 'not named'}`, `${inputs.length} inputs`, `${tools.length} tools`]
      terminal.out(`${terminal.style('green', '✓')} ${file}: ${facts.join(', ')}\n`)
      for (const warning of warnings) terminal.out(`  ${terminal.style('yellow', '!')} ${warning}\n`)
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      failed++
      terminal.error(`parley: ${describeError(error.info).replaceAll(/\s*\n\s*/g, ' ')}\n`)
    }
  }
  return failed === 0 ? 0 : 2
}
