import type { Command } from 'commander'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { openExistingStore, openStore } from '../../store/open-store.ts'
import { addWorkflowRunCommand } from './workflow-run.ts'

/** Defines the command `parley workflow run|save|list`. */
export function defineWorkflowCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Runs workflows: steps, conditions and approvals, defined in JSON files or saved in the database.',
  )
  addWorkflowRunCommand(command, terminal)
  const save = command
    .command('save')
    .summary('save workflows in the database')
    .description(
      'Saves the workflows of JSON files in the database under their names. A changed workflow gets a new version. Accepts ' +
        'workflows of Parley and of the P-A-R SDK.',
    )
    .argument('<files...>', 'JSON files, each with one workflow')
  withDatabaseFlag(save).action(async (files: readonly string[], { db }: { db: string }) =>
    saveFiles(files, db, terminal),
  )
  const list = command
    .command('list')
    .summary('list the saved workflows')
    .description('Lists the saved workflows with their newest versions.')
  withDatabaseFlag(list)
    .option('--json', 'print every saved workflow as one line of JSON')
    .action(async (flags: ListFlags) => listSaved(flags, terminal))
  withExamples(command, [['workflow run report.json --input topic=tides', 'runs the workflow of a file']])
  withExamples(save, [['workflow save report.json', 'saves it as the next version of its name']])
  withExamples(list, [['workflow list', 'the saved workflows with their newest versions']])
}

async function saveFiles(files: readonly string[], db: string, terminal: Terminal): Promise<void> {
  const [{ saveWorkflow }, { readWorkflowFile }] = await Promise.all([
    import('@parley/workflow'),
    import('../../compose/open-workflow-agent.ts'),
  ])
  // All files are read first, so that an invalid file saves none of them.
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
  if (records.length === 0 && json !== true) terminal.out('No workflows.\n')
}
