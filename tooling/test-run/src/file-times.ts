import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Seconds that test files take, by path from the root of the repository. */
export type FileTimes = Readonly<Record<string, number>>

const FILE = path.join(import.meta.dirname, '../node_modules/.cache/file-times.json')
/** The seconds of a file that has never run. */
const USUAL_SECONDS = 0.5

/**
 * The files that take longest, in seconds on two cores. A machine that has not run the tests yet starts with these files and
 * estimates its remaining time from them.
 */
const LONG_FILES: FileTimes = {
  'tooling/crash-matrix/src/crash-matrix.deep.test.ts': 120,
  'apps/cli/src/commands/crash-test/crash-test.deep.test.ts': 200,
  'tooling/crash-matrix/src/client-tools.deep.test.ts': 90,
  'tooling/crash-matrix/src/group-commit.deep.test.ts': 80,
  'tooling/crash-matrix/src/evals.deep.test.ts': 60,
  'tooling/snippets/src/examples.deep.test.ts': 70,
  'packages/tools/src/shell/attacks.deep.test.ts': 90,
  'tooling/crash-matrix/src/restate-chaos.deep.test.ts': 70,
  'apps/studio/src/verbs.browser.deep.test.ts': 60,
  'docs/src/site.browser.deep.test.ts': 60,
  'apps/cli/src/chat/chat-commands.deep.test.ts': 60,
  'apps/cli/src/commands/eval/eval.deep.test.ts': 60,
  'packages/stores/postgres/src/open-postgres-store.postgres.test.ts': 119,
  'apps/cli/src/cli-resume.test.ts': 76,
  'tooling/snippets/src/examples.test.ts': 71,
  'apps/studio/src/pages.browser.test.ts': 57,
  'apps/cli/src/commands/config.test.ts': 47,
  'apps/cli/src/remote/remote.test.ts': 46,
  'apps/cli/src/cli-composition.test.ts': 45,
  'apps/cli/src/cli-postgres.postgres.test.ts': 45,
  'apps/cli/src/commands/workflow/workflow.test.ts': 44,
  'apps/cli/src/cli.test.ts': 42,
  'packages/stores/postgres/src/open-postgres-store.faults.postgres.test.ts': 37,
  'apps/cli/src/commands/mcp/mcp-auth.test.ts': 34,
  'apps/cli/src/chat/chat-input.test.ts': 34,
  'tooling/crash-matrix/src/crash-matrix.postgres.test.ts': 32,
  'tooling/conformance/src/mistakes.test.ts': 31,
  'packages/mcp/src/client/network-faults.test.ts': 29,
  'apps/cli/src/commands/crash-test/crash-test.test.ts': 29,
  'apps/cli/src/commands/mcp/mcp.test.ts': 27,
  'tooling/crash-matrix/src/command-races.postgres.test.ts': 27,
  'apps/cli/src/commands/approve/approve-terminal.test.ts': 26,
  'apps/cli/src/cli-help.test.ts': 23,
  'packages/stores/sqlite/src/open-sqlite-store.test.ts': 22,
  'packages/tools/src/workspace/path-attacks.test.ts': 21,
  'apps/cli/src/commands/doctor/doctor.test.ts': 21,
  'apps/server/src/chat-page.browser.test.ts': 20,
  'apps/server/src/open-server.test.ts': 19,
  'packages/stores/sqlite/src/open-sqlite-store.faults.test.ts': 18,
  'packages/mcp/src/client/client-features.test.ts': 18,
  'apps/cli/src/commands/serve.test.ts': 17,
  'packages/mcp/src/server/create-mcp-server.test.ts': 17,
  'packages/tools/src/shell/run-command.test.ts': 16,
  'apps/cli/src/cli-short-ids.test.ts': 16,
  'apps/server/src/retry-storm.test.ts': 16,
  'tooling/crash-matrix/src/client-tools.postgres.test.ts': 16,
  'examples/own-parts/src/open-own-store.test.ts': 16,
  'examples/worker-pair/src/worker-pair.postgres.test.ts': 14,
  'apps/cli/src/commands/backtest/backtest.test.ts': 14,
  'apps/cli/src/cli-inbox.test.ts': 14,
  'apps/cli/src/commands/studio.test.ts': 14,
  'packages/stores/postgres/src/open-postgres-store.isolation.postgres.test.ts': 13,
  'apps/cli/src/render/terminal-output.test.ts': 13,
  'packages/mcp/src/client/open-mcp-server.test.ts': 13,
  'packages/mcp/src/tools/mcp-tools.test.ts': 13,
  'tooling/crash-matrix/src/group-commit.postgres.test.ts': 12,
}

/** Reads how long each file took in the last run on this machine. */
export function readFileTimes(file = FILE): FileTimes {
  try {
    return { ...LONG_FILES, ...(JSON.parse(readFileSync(file, 'utf8')) as FileTimes) }
  } catch {
    // No run has ended here yet, or it was killed while it wrote.
    return LONG_FILES
  }
}

/** Keeps the times of a run for the next one. The times of files that did not run stay. */
export function writeFileTimes(times: FileTimes, file = FILE): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...readFileTimes(file), ...times }))
}

export function secondsOf(times: FileTimes, name: string): number {
  return times[name] ?? USUAL_SECONDS
}
