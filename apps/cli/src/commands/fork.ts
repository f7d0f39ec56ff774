import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { fromMetadata, toCount, withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openComposition } from '../compose/open-composition.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'

interface ForkFlags {
  readonly db: string
  readonly command: string
  readonly at?: number
  readonly input?: string
  readonly session?: string
  readonly json?: boolean
  readonly model?: string
  readonly baseUrl?: string
}

/** `parley fork RUN` */
export function addForkCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('fork')
    .summary('go another way from the middle of a run')
    .description(
      'Begins a run with the transcript another one had after an entry of its journal, and leaves the other as it is. ' +
        'It becomes the newest of its session.',
    )
    .argument('<run>', "id of the run, the end of one, or 'last'")
  withDatabase(command)
    .option('--at <entry>', 'last entry that still counts (default: all)', (text: string) => toCount(text, '--at'))
    .option('--input <text>', 'what to say then (default: nothing; what was said by then is answered)')
    .option('-s, --session <id>', 'session to put it in (default: the same)')
    .option('-m, --model <id>', 'another model than the run began with')
    .option('--base-url <url>', 'another server than the run began with')
    .option('--json', 'print every event as a line of JSON')
    .action(async (wanted: string, flags: Omit<ForkFlags, 'command'>) => {
      process.exitCode = await fork(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function fork(
  wanted: string,
  { db, at, input, session: sessionId, json, command, ...changed }: ForkFlags,
  terminal: Terminal,
): Promise<number> {
  const { runId, metadata } = await look(db, wanted)
  await using composition = await openComposition(fromMetadata(metadata, changed), db)
  const run = await composition.runtime.fork(runId, { at, input, sessionId })
  const mode = json === true ? 'json' : 'text'
  return await showRun(run, terminal, { mode, database: db, command })
}

async function look(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { runId } = await findRun(store, wanted)
  const [started] = await store.read(runId)
  if (started?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  return { runId, metadata: started.metadata }
}
