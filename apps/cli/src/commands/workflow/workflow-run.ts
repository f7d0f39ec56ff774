import { resolve } from 'node:path'
import { ParleyError, type Json, type Store } from '@parley/core'
import { Option, type Command } from 'commander'
import { toMetadata, withAgentFlags, withDatabase, type AgentFlags } from '../../flags/agent-flags.ts'
import { openComposition } from '../../compose/open-composition.ts'
import { showRun } from '../../render/show-run.ts'
import type { Terminal } from '../../render/terminal.ts'

interface WorkflowRunFlags extends Omit<AgentFlags, 'agent' | 'agents' | 'input'> {
  readonly db: string
  readonly agent?: readonly string[]
  readonly input?: readonly string[]
  readonly session?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `parley workflow run FILE|NAME` */
export function addWorkflowRunCommand(parent: Command, terminal: Terminal): void {
  const program = parent.parent ?? parent
  const command = parent
    .command('run')
    .description(
      "Runs a workflow and shows its steps. They may name the agent 'assistant', which the options describe as for `run`, " +
        'and its tools. A run that waits for a person goes on with `approve`, one that was cut off with `resume`.',
    )
    .argument('<workflow>', 'a JSON file, or the name of a workflow that was saved')
    .argument('[question]', 'what the run is asked, which steps read as {{input}}', 'go')
  withDatabase(withAgentFlags(command))
    .addOption(repeated('--input <name=value>', 'value for an input: JSON, or else a text; may be repeated'))
    .addOption(repeated('--agent <name=file>', 'agent that steps may name, from a .prompty file; may be repeated'))
    .option('-s, --session <id>', 'session to go on with (default: a new one)')
    .option('--json', 'print every event as a line of JSON')
    .option('-q, --quiet', 'print the result alone')
    .action(async (workflow: string, question: string, flags: WorkflowRunFlags) => {
      process.exitCode = await runWorkflow({ workflow, question, command: program.name() }, flags, terminal)
    })
}

function repeated(flags: string, description: string): Option {
  return new Option(flags, description).argParser((pair: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    pair,
  ])
}

interface Asked {
  readonly workflow: string
  readonly question: string
  readonly command: string
}

async function runWorkflow(
  { workflow, question, command }: Asked,
  { db, session: sessionId, json, quiet, agent: agents, input, ...flags }: WorkflowRunFlags,
  terminal: Terminal,
): Promise<number> {
  const place = workflow.endsWith('.json') ? resolve(workflow) : workflow
  const composed = { ...flags, agents: agents?.map(absolute), workflow: place }
  await using composition = await openComposition(composed, db)
  const made = await madeOf(place, composition.store)
  const run = composition.runtime.run(composition.agent.name, question, {
    sessionId,
    variables: parseInputs(input),
    metadata: toMetadata({ ...composed, ...made }),
  })
  const mode = json === true ? 'json' : quiet === true ? 'quiet' : 'text'
  return showRun(run, terminal, { mode, database: db, command })
}

/** The run stays what it is, whatever is written or saved while it waits. */
async function madeOf(workflow: string, store: Store): Promise<Pick<AgentFlags, 'definition' | 'versions'>> {
  const [{ findWorkflow }, { usedVersions }] = await Promise.all([
    import('../../compose/open-workflow-agent.ts'),
    import('../../compose/workflow-versions.ts'),
  ])
  const definition = await findWorkflow(workflow, store)
  return { definition: definition as unknown as Json, versions: await usedVersions(store, definition) }
}

function absolute(pair: string): string {
  const at = pair.indexOf('=')
  return at < 1 || at === pair.length - 1 ? pair : `${pair.slice(0, at)}=${resolve(pair.slice(at + 1))}`
}

function parseInputs(pairs: readonly string[] = []): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      if (at < 1)
        throw new ParleyError({ code: 'config-invalid', path: '--input', detail: `'${pair}' is no name=value` })
      return [pair.slice(0, at), valueOf(pair.slice(at + 1))] as const
    }),
  )
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
