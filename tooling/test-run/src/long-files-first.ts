import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first. A run starts with them, because a long file that starts last keeps one core busy
 * while the others are idle.
 */
const LONG = [
  'crash-matrix/src/crash-matrix.postgres.test.ts',
  'crash-matrix/src/client-tools.postgres.test.ts',
  'postgres/src/open-postgres-store.postgres.test.ts',
  'crash-matrix/src/restate-chaos.postgres.test.ts',
  'commands/crash-test/crash-test.test.ts',
  'tools/src/shell/attacks.test.ts',
  'crash-matrix/src/evals.test.ts',
  'snippets/src/examples.test.ts',
  'commands/eval/eval.test.ts',
  'commands/bisect/bisect.test.ts',
  'server/src/large-streams.test.ts',
  'cli/src/cli-composition.test.ts',
  'cli/src/cli-resume.test.ts',
  'cli/src/cli-runs.test.ts',
  'workflow/workflow.test.ts',
  'cli/src/chat/chat-commands.test.ts',
  'pack-check/src/check-types.test.ts',
  'cli/src/remote/remote.test.ts',
  'sqlite/src/open-sqlite-store.test.ts',
]

/** Orders the files of each project so that the long ones come first, also on a machine that has not run them yet. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // The order of projects stays: a worker keeps its modules only for the next file of the same project.
    return [...new Set(sorted.map(({ project }) => project))].flatMap(project =>
      sorted.filter(file => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    )
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONG.findIndex(name => moduleId.endsWith(`/${name}`))
  return index === -1 ? LONG.length : index
}
