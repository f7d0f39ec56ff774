import { Option, type Command } from 'commander'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../../flags/run-flags.ts'
import { programName } from '../../program/program-name.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'

interface BisectFlags {
  readonly db: string
  readonly good?: string
  readonly bad: string
  readonly agents: string
  readonly step?: string
}

/** Defines the command `parley bisect RUN`. */
export function defineBisectCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Finds the commit that changed what an agent does: repeats a recorded run with the agents of each commit, and names the first ' +
        'commit whose requests to the model or decisions differ from the recording. Models and tools answer from the recording: no model ' +
        'is asked and no tool is executed. Each commit is checked out into a temporary folder with the installed node_modules of ' +
        'this one. A commit whose agents cannot be loaded is skipped.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
    .option('--good <commit>', 'commit with which the run is the same as the recording')
    .option('--bad <commit>', 'later commit with which it differs', 'HEAD')
    .option(
      '--agents <file>',
      'TypeScript or JavaScript module of this repository that exports the agents',
      'agents.ts',
    )
    .addOption(new Option('--step <file>').hideHelp())
  withDatabaseFlag(command).action(async (run: string, { step, ...flags }: BisectFlags) => {
    if (step !== undefined) {
      const { replayStep } = await import('./replay-step.ts')
      await replayStep(step)
      return
    }
    if (flags.good === undefined) {
      terminal.error(
        `parley: name a commit with which the run is as recorded: ${programName(command)} bisect ${run} --good COMMIT\n`,
      )
      process.exitCode = 2
      return
    }
    const { bisectRun } = await import('./bisect-run.ts')
    process.exitCode = await bisectRun({ ...flags, run, good: flags.good }, terminal)
  })
  withExamples(command, [
    ['bisect last --good v1.2.0', 'the first commit since v1.2.0 with which the newest run differs'],
    ['bisect 01a2b3c4 --good HEAD~20 --agents src/agents.ts', 'another run, with the agents of another file'],
  ])
}
