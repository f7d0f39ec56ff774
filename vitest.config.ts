import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { createNotTriedReporter } from './tooling/test-run/src/collect-not-tried.ts'
import { createProgressReporter } from './tooling/test-run/src/create-progress-reporter.ts'
import { LongFilesFirst } from './tooling/test-run/src/long-files-first.ts'

const tests = '{packages,apps,docs,examples,tooling}/**/src/**/*.test.ts'
const postgresTests = '{packages,apps,examples,tooling}/**/src/**/*.postgres.test.ts'
/** Tests that start programs, servers and browsers, and wait for them. */
const processTests = [
  '{apps,examples,tooling}/**/src/**/*.test.ts',
  'docs/src/*.browser.test.ts',
  'packages/create-parley/src/**/*.test.ts',
  'packages/evals/src/**/*.processes.test.ts',
  'packages/mcp/src/**/*.test.ts',
  'packages/tools/src/shell/**/*.test.ts',
  'packages/stores/sqlite/src/*.processes.test.ts',
]
const built = ['**/node_modules/**', '**/dist/**']

// Tests run against the sources of every workspace package: no build first.
const conditions = ['@parley/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Many tests start runs that fail, and read the journal instead of the run, or use tools that throw.
    onConsoleLog: text => !text.startsWith('parley: '),
    setupFiles: ['vitest.setup.ts'],
    // Many tests start programs. Node.js strips the types of their sources once, and not in each process.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compile') },
    // A machine that is busy with other tests takes a while to start a process.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // One worker more than cores, because some tests wait for processes and servers. The main process is idle most of the time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // Prints no line for a file that passes. Failures come last, whole.
    reporters: [createProgressReporter(), 'minimal', createNotTriedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [tests],
          exclude: [...built, postgresTests, ...processTests],
          testTimeout: 60_000,
          // Files share a process and the modules that are loaded in it: loading them again for each file takes longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          // Builds the page of the studio, which some of these tests serve.
          globalSetup: ['apps/studio/src/__fixtures__/page.setup.ts'],
          include: processTests,
          exclude: [...built, postgresTests],
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [postgresTests],
          exclude: built,
          testTimeout: 60_000,
          isolate: false,
          setupFiles: ['packages/stores/postgres/src/__fixtures__/drop-databases.setup.ts'],
          // Start one real server and install another one, and only when one of these tests runs.
          globalSetup: [
            'packages/stores/postgres/src/__fixtures__/postgres.setup.ts',
            'tooling/crash-matrix/src/__fixtures__/restate.setup.ts',
            'apps/studio/src/__fixtures__/page.setup.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['{packages,apps}/**/src/**/*.test-d.ts'],
            exclude: built,
            tsconfig: './tsconfig.test-d.json',
            checker: path.join(import.meta.dirname, 'node_modules/@typescript/native/bin/tsc'),
          },
        },
      },
    ],
  },
})
