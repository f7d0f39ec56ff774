import type { Command } from 'commander'
import { withDatabase } from '../../flags/agent-flags.ts'
import { openExistingStore } from '../../store/open-existing-store.ts'
import { openStore } from '../../store/open-store.ts'
import type { Terminal } from '../../render/terminal.ts'
import { addWorkflowRunCommand } from './workflow-run.ts'

/** `parley workflow run|save|list` */
export function addWorkflowCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('workflow')
    .summary('run, save and list workflows')
    .description('Runs workflows: steps, conditions and approvals as data, in JSON files or saved in the database.')
  addWorkflowRunCommand(command, terminal)
  const save = command
    .command('save')
    .description(
      'Saves the workflows in files under their names, each as its next version unless nothing has changed. Ours, or those of the P-A-R SDK.',
    )
    .argument('<files...>', 'JSON files with one workflow each')
  withDatabase(save).action(async (files: readonly string[], { db }: { db: string }) => saveFiles(files, db, terminal))
  const list = command.command('list').description('Lists the workflows in the database, with their newest versions.')
  withDatabase(list)
    .option('--json', 'print what was saved as lines of JSON')
    .action(async (flags: ListFlags) => listSaved(flags, terminal))
  for (const sub of command.commands) sub.copyInheritedSettings(program)
}

async function saveFiles(files: readonly string[], db: string, terminal: Terminal): Promise<void> {
  const [{ saveWorkflow }, { readWorkflowFile }] = await Promise.all([
    import('@parley/workflow'),
    import('../../compose/open-workflow-agent.ts'),
  ])
  // All are read before one is saved.
  const workflows = await Promise.all(files.map(readWorkflowFile))
  await using store = await openStore(db)
  for (const workflow of workflows) {
    const before = await store.workflows?.get({ scope: 'default', name: workflow.name })
    const { name, version } = await saveWorkflow(store, workflow)
    terminal.out(`${name}  version ${version}${before?.version === version ? ', unchanged' : ''}\n`)
  }
}

interface ListFlags {
  readonly db: string
  readonly json?: boolean
}

async function listSaved({ db, json }: ListFlags, terminal: Terminal): Promise<void> {
  const { parseWorkflow, readWorkflows } = await import('@parley/workflow')
  await using store = await openExistingStore(db)
  const records = await readWorkflows(store)
  for (const record of records) {
    const { name, version, savedAt, definition } = record
    const { description, inputs = {} } = parseWorkflow(definition)
    const facts = [
      `version ${version}`,
      new Date(savedAt).toISOString(),
      `inputs: ${Object.keys(inputs).join(', ') || 'none'}`,
    ]
    const words = description === undefined ? '' : terminal.style('dim', `  ${description}`)
    terminal.out(json === true ? `${JSON.stringify(record)}\n` : `${name}  ${facts.join('  ')}${words}\n`)
  }
  if (records.length === 0 && json !== true) terminal.out('There are no workflows.\n')
}
