import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { toOneOf } from '../flags/option-values.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'

interface InitFlags {
  readonly provider: string
  readonly store: string
  readonly into: string
}

/** Defines the command `parley init`. */
export function defineInitCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Adds an agent to the project in this folder: its dependencies, and four files that are yours to change. Overwrites no file.',
    )
    .option('--provider <name>', 'model provider: demo, openai, anthropic, google or ollama', 'demo')
    .option('--store <name>', 'store of the runs: memory, sqlite or postgres', 'sqlite')
    .option('--into <folder>', 'folder of the files', 'src/agent')
    .action(async ({ provider, store, into }: InitFlags) => {
      const { addToProject, namesOf, PROVIDERS, SetupError, STORES } = await import('create-parley')
      const written = await addToProject({
        folder: process.cwd(),
        into,
        provider: toOneOf(namesOf(PROVIDERS), provider, '--provider'),
        store: toOneOf(namesOf(STORES), store, '--store'),
      }).catch((error: unknown) => {
        if (!(error instanceof SetupError)) throw error
        throw new ParleyError({ code: 'config-invalid', path: error.where, detail: error.detail }, { cause: error })
      })
      terminal.out(`Wrote ${written.join(', ')}, and the dependencies in package.json.\n`)
      terminal.out(`Next: npm install, then node --env-file-if-exists=.env ${into}/main.ts\n`)
      terminal.out(
        `To check the types, tsconfig.json needs "types": ["node"], "noEmit" and "allowImportingTsExtensions".\n`,
      )
    })
  withExamples(command, [
    ['init --provider openai --store sqlite', 'adds an agent that asks OpenAI and keeps its runs in a file'],
  ])
}
