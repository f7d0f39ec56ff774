import type { CrashTestOptions } from '@parley/evals/crash-test'
import { Option, type Command } from 'commander'
import { repeatable, toCount } from '../../flags/option-values.ts'
import { programName } from '../../program/program-name.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'

interface CrashTestFlags extends Pick<CrashTestOptions, 'at' | 'ledger' | 'files'> {
  readonly agent?: readonly string[]
  readonly input?: readonly string[]
  readonly workers?: number
  readonly json?: boolean
  readonly worker?: boolean
}

/** Defines the command `parley crash-test MODULE`. */
export function defineCrashTestCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Runs the agents of a module and kills their process before and after each step and inside each tool. Resumes each run ' +
        'in a new process and compares what the tools did with a run that was not killed. Prints for each tool whether a crash ' +
        'repeats or loses what it does, and the effect that it should declare. The tools really run, in an empty folder; the ' +
        'models are asked once, and their answers are replayed. Exit code 1: a tool has a fault.',
    )
    .argument('[module]', 'TypeScript or JavaScript module that exports agents')
    .addOption(repeatable('--agent <name>', 'agent to test (default: every agent of the module)'))
    .addOption(repeatable('--input <text>', "input of a run (default: the module's export `inputs`, or go)"))
    .option('--at <point>', 'the only point at which the process is killed, as the report names it')
    .option('--ledger <file>', 'file to which the tools append a line for each change')
    .option('--files <dir>', 'folder whose files the tools find in their folder')
    .addOption(
      new Option('--workers <n>', 'processes at the same time (default: 2)').argParser((text: string) =>
        toCount(text, '--workers'),
      ),
    )
    .option('--json', 'print the report as JSON')
    .addOption(new Option('--worker').hideHelp())
    .action(async (module: string | undefined, flags: CrashTestFlags) => {
      process.exitCode = await testModule(module, { ...flags, command: programName(command) }, terminal)
    })
  withExamples(command, [
    ['crash-test agents.ts', 'kills every agent of the module at every step'],
    ['crash-test agents.ts --agent clerk --at after:4', 'repeats one kill'],
  ])
}

async function testModule(
  module: string | undefined,
  { agent, input, at, ledger, files, workers, json, worker, command }: CrashTestFlags & { readonly command: string },
  terminal: Terminal,
): Promise<number> {
  const { crashTest, runCrashWorker } = await import('@parley/evals/crash-test')
  if (worker === true) {
    const { openSqliteStore } = await import('@parley/sqlite')
    await runCrashWorker({ openStore: path => openSqliteStore({ path }) })
    return 0
  }
  if (module === undefined) {
    terminal.error(`parley: name the module that exports the agents: ${command} crash-test agents.ts\n`)
    return 2
  }
  const { createProgressLine } = await import('../../render/progress-line.ts')
  const line = createProgressLine(terminal)
  const report = await crashTest({
    module,
    worker: [process.argv[1] ?? '', 'crash-test', '--worker'],
    agents: agent,
    inputs: input,
    at,
    ledger,
    files,
    concurrency: workers,
    onProgress: ({ agent: name, done, total }) => line.show(`${done} of ${total} repetitions · ${name}`),
  }).finally(() => line.clear())
  if (json === true) terminal.out(`${JSON.stringify(report)}\n`)
  else {
    const { renderCrashReport } = await import('./render-crash-report.ts')
    terminal.out(renderCrashReport(report, { terminal, module, command, files, ledger }))
  }
  return report.hasFaults ? 1 : 0
}
