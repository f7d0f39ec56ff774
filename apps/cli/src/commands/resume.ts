import { messageText, ParleyError } from '@parley/core'
import { loadRun } from '@parley/engine'
import type { Command } from 'commander'
import { fromMetadata, withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openComposition } from '../compose/open-composition.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'

interface ResumeFlags {
  readonly db: string
  /** How the user calls the command. */
  readonly command: string
  readonly force?: boolean
  readonly json?: boolean
  readonly model?: string
  readonly baseUrl?: string
  readonly config?: string
}

/** `parley resume [RUN]` */
export function addResumeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('resume')
    .summary('go on with a run that was cut off')
    .description(
      'Goes on with a run that a crash or a kill cut off, with the agent it was started with. Finished tool calls are ' +
        'not run again; a call whose end is unknown is run again only if its tool says that is safe.',
    )
    .argument('[run]', "id of the run, the end of one, or 'last'", 'last')
  withDatabase(command)
    .option('-m, --model <id>', 'another model than the run began with')
    .option('--base-url <url>', 'another server than the run began with')
    .option('--config <file>', 'another configuration file than the run began with')
    .option('--force', 'take the run from a process that still seems to drive it')
    .option('--json', 'print every event as a line of JSON')
    .action(async (wanted: string, flags: Omit<ResumeFlags, 'command'>) => {
      process.exitCode = await resume(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function resume(
  wanted: string,
  { db, force, json, command, ...changed }: ResumeFlags,
  terminal: Terminal,
): Promise<number> {
  const { runId, status, metadata, answer, letGo } = await look(db, wanted)
  if (status !== 'running' && !letGo) {
    terminal.out(`Run ${runId} has already ended: ${status}.\n${answer === '' ? '' : `\n${answer}\n`}`)
    return 0
  }
  await using composition = await openComposition(fromMetadata(metadata, changed), db)
  const run = await composition.runtime.resume(runId, { force })
  const mode = json === true ? 'json' : 'text'
  return await showRun(run, terminal, { mode, database: db, command })
}

async function look(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { runId, status } = await findRun(store, wanted)
  const entries = await store.read(runId)
  const [started] = entries
  if (started?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  const { transcript } = await loadRun(store, runId)
  const answer = transcript.last?.role === 'assistant' ? messageText(transcript.last) : ''
  const last = entries.at(-1)
  // Another program, a server say, has let it go to be resumed.
  const letGo = last?.type === 'run.suspended' && last.reason === 'shutdown'
  return { runId, status, metadata: started.metadata, answer, letGo }
}
