import { ParleyError } from '@parley/core'
import { defineAgent, summarize } from '@parley/engine'
import type { Command } from 'commander'
import { fromMetadata, toCount, withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openComposition } from '../compose/open-composition.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'

interface CompactFlags {
  readonly db: string
  /** How the user calls the command. */
  readonly command: string
  readonly keep: number
  readonly focus?: string
  readonly json?: boolean
  readonly model?: string
  readonly baseUrl?: string
}

/** `parley compact [RUN]` */
export function addCompactCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('compact')
    .summary('shorten what is sent of a conversation')
    .description(
      'Lets the model summarise the session of a run, all but its newest turns. From then on the session sends the summary; ' +
        'its journals keep everything.',
    )
    .argument('[run]', "id of the run, the end of one, or 'last'", 'last')
  withDatabase(command)
    .option('--keep <n>', 'newest turns that stay as they are', (text: string) => toCount(text, '--keep'), 4)
    .option('--focus <text>', 'what the summary should pay most attention to')
    .option('-m, --model <id>', 'another model than the run began with')
    .option('--base-url <url>', 'another server than the run began with')
    .option('--json', 'print every event as a line of JSON')
    .action(async (wanted: string, flags: Omit<CompactFlags, 'command'>) => {
      process.exitCode = await compact(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function compact(
  wanted: string,
  { db, keep, focus, json, command, ...changed }: CompactFlags,
  terminal: Terminal,
): Promise<number> {
  const { sessionId, metadata } = await look(db, wanted)
  await using composition = await openComposition(fromMetadata(metadata, changed), db)
  const agent = defineAgent({ ...composition.agent, context: summarize({ keepRecentTurns: keep, focus }) })
  const run = await composition.runtime.compact(sessionId, { agent })
  const mode = json === true ? 'json' : 'text'
  return await showRun(run, terminal, { mode, database: db, command })
}

async function look(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { runId, sessionId } = await findRun(store, wanted)
  const [started] = await store.read(runId)
  if (started?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  return { sessionId, metadata: started.metadata }
}
