import { Option, type Command } from 'commander'
import { withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toPort } from '../flags/option-values.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { redactDatabase } from '../store/database.ts'
import { waitForInterrupt } from './wait-for-interrupt.ts'

interface StudioFlags extends AgentFlags {
  readonly db: string
  readonly port: number
  readonly write?: boolean
}

/** Defines the command `parley studio`. */
export function defineStudioCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Opens Parley Studio on the runs of a database: a web page on loopback that shows every run, until Ctrl-C. It changes ' +
      'nothing without --write. With --write, the agent of the options answers in Play, and runs can be forked, repeated, ' +
      'steered, cancelled and approved. `parley serve --studio` serves the page to other machines.',
  )
  withDatabaseFlag(withAgentFlags(withConfigFlag(command)))
    .option('--write', 'allow changes, and run the agent')
    .addOption(new Option('-p, --port <n>', 'port to listen on; 0 picks a free one').default(4600).argParser(toPort))
    .action((flags: StudioFlags) => openStudio(flags, terminal))
  withExamples(command, [
    ['studio', 'shows the runs of .parley/parley.db'],
    ['studio --db postgres://localhost/parley', 'shows the runs of a PostgreSQL database'],
    ['studio --write --config parley.yaml', 'shows the runs, and runs the agents of a file'],
  ])
}

async function openStudio(flags: StudioFlags, terminal: Terminal): Promise<void> {
  const [{ openServer }, { studioAssets }] = await Promise.all([import('@parley/server'), import('@parley/studio')])
  const studio = await studioAssets()
  await using opened = flags.write === true ? await openComposition(flags) : await openReader(flags.db)
  const stopping = waitForInterrupt()
  const access = flags.write === true ? 'admin' : 'viewer'
  const { runtime, agents } = opened
  await using server = await openServer({ runtime, agents, access, studio, port: flags.port })
  const mode = flags.write === true ? '' : ', read-only: --write allows changes'
  terminal.out(`Parley Studio on ${server.url}/studio/\n`)
  terminal.out(`  journal ${redactDatabase(flags.db)}${mode}\n`)
  await stopping
  terminal.out('closing\n')
}

async function openComposition(flags: StudioFlags) {
  const { openComposition: open } = await import('../compose/open-composition.ts')
  return open(flags, flags.db)
}

/** A runtime that can only read: it has no agents, so it drives no runs. */
async function openReader(database: string) {
  const [{ openExistingStore }, { createRuntime }] = await Promise.all([
    import('../store/open-store.ts'),
    import('@parley/engine'),
  ])
  const store = await openExistingStore(database)
  const runtime = createRuntime({ store })
  const close = async (): Promise<void> => {
    await runtime.close()
    await store[Symbol.asyncDispose]()
  }
  return { runtime, agents: [], [Symbol.asyncDispose]: close }
}
