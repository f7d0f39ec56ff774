import { resolve } from 'node:path'
import type { Json, Store } from '@parley/core'
import type { Command } from 'commander'
import { toMetadata, withAgentFlags, type AgentFlags } from '../../flags/agent-flags.ts'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { parseAgentFile, parsePair, repeatable } from '../../flags/option-values.ts'
import { modeOf, withNewRunFlags, type OutputFlags } from '../../flags/run-flags.ts'
import { presentRun } from '../../ask/present-run.ts'
import { withExamples } from '../../program/with-examples.ts'
import { onDatabase } from '../../store/database.ts'
import type { Terminal } from '../../render/terminal.ts'

interface WorkflowRunFlags extends Omit<AgentFlags, 'agent' | 'agents' | 'input'>, OutputFlags {
  readonly db: string
  readonly agent?: readonly string[]
  readonly input?: readonly string[]
  readonly session?: string
}

/** Adds the command `parley workflow run FILE|NAME`. */
export function addWorkflowRunCommand(parent: Command, terminal: Terminal): void {
  const program = parent.parent ?? parent
  const command = parent
    .command('run')
    .summary('run a workflow')
    .description(
      "Runs a workflow and prints its steps. Steps may name the agent 'assistant', which the options describe as for " +
        '`parley run`, and its tools. `parley approve` continues a run that is suspended for approval, and `parley resume` ' +
        'continues an interrupted one.',
    )
    .argument('<workflow>', 'JSON file, or the name of a saved workflow')
    .argument('[question]', 'message of the user, which steps read as {{input}}', 'go')
  withDatabaseFlag(withAgentFlags(command))
    .addOption(repeatable('--input <name=value>', 'value for an input, as JSON or plain text'))
    .addOption(repeatable('--agent <name=file>', 'agent from a .prompty file that steps may name'))
  withNewRunFlags(command).action(async (workflow: string, question: string, flags: WorkflowRunFlags) => {
    process.exitCode = await runWorkflow({ workflow, question, command: program.name() }, flags, terminal)
  })
  withExamples(command, [
    ['workflow run report.json --input topic=tides', 'runs the workflow of a file'],
    ['workflow run report', 'runs a saved workflow'],
  ])
}

interface WorkflowRequest {
  readonly workflow: string
  readonly question: string
  readonly command: string
}

async function runWorkflow(
  { workflow, question, command }: WorkflowRequest,
  { db, session: sessionId, json, quiet, agent: agents, input, ...flags }: WorkflowRunFlags,
  terminal: Terminal,
): Promise<number> {
  const location = workflow.endsWith('.json') ? resolve(workflow) : workflow
  const composed = { ...flags, agents: agents?.map(withAbsolutePath), workflow: location }
  const { openComposition } = await import('../../compose/open-composition.ts')
  await using composition = await openComposition(composed, db)
  const frozen = await freeze(location, composition.store)
  const run = composition.runtime.run(composition.agent.name, question, {
    sessionId,
    variables: parseInputs(input),
    metadata: toMetadata({ ...composed, ...frozen }),
  })
  const { runtime } = composition
  return presentRun(run, terminal, { runtime, mode: modeOf({ json, quiet }), place: onDatabase(db), command })
}

/** Finds what the run must keep, so that a later change to the file or the database does not affect it. */
async function freeze(workflow: string, store: Store): Promise<Pick<AgentFlags, 'definition' | 'versions'>> {
  const [{ findWorkflow }, { workflowVersions }] = await Promise.all([
    import('../../compose/open-workflow-agent.ts'),
    import('../../compose/workflow-versions.ts'),
  ])
  const definition = await findWorkflow(workflow, store)
  return { definition: definition as unknown as Json, versions: await workflowVersions(store, definition) }
}

function withAbsolutePath(pair: string): string {
  const [name, file] = parseAgentFile(pair)
  return `${name}=${resolve(file)}`
}

function parseInputs(pairs: readonly string[] = []): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [name, text] = parsePair(pair, '--input')
      return [name, valueOf(text)] as const
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
