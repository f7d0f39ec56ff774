import { availableParallelism } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './tooling/test-run/src/long-files-first.ts'

const tests = '{packages,apps,docs,examples,tooling}/**/src/**/*.test.ts'
const deepTests = '{packages,apps,docs,examples,tooling}/**/src/**/*.deep.test.ts'
const postgresTests = '{packages,apps,examples,tooling}/**/src/**/*.postgres.test.ts'
/** Tests that start programs, servers and browsers, and wait for them. */
const processTests = [
  '{apps,examples,tooling}/**/src/**/*.test.ts',
  'packages/create-parley/src/**/*.test.ts',
  'packages/evals/src/**/*.processes.test.ts',
  'packages/mcp/src/**/*.test.ts',
  'packages/tools/src/shell/**/*.test.ts',
  'packages/stores/sqlite/src/*.processes.test.ts',
]
const built = ['**/node_modules/**', '**/dist/**']

// Tests run against the sources of every workspace package: no build first.
const conditions = ['@parley/source', 'node']
// Node.js 22 removes types from the sources, but does not know `using`.
const lowerUsing = `--import=${pathToFileURL(path.join(import.meta.dirname, 'tooling/test-run/src/lower-using.mjs')).href}`
const nodeArguments = Number.parseInt(process.versions.node, 10) < 24 ? [lowerUsing] : []

const postgres = 'packages/stores/postgres/src/__fixtures__/postgres.setup.ts'
const dropDatabases = 'packages/stores/postgres/src/__fixtures__/drop-databases.setup.ts'
const studioPage = 'apps/studio/src/__fixtures__/page.setup.ts'
const restate = 'tooling/crash-matrix/src/__fixtures__/restate.setup.ts'

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Node.js loads the sources itself, and its compile cache keeps them. A transformation by Vite takes longer than most tests.
    experimental: { viteModuleRunner: false },
    execArgv: ['--conditions=@parley/source', ...nodeArguments],
    // Many tests start runs that fail, and read the journal instead of the run, or use tools that throw.
    onConsoleLog: text => !text.startsWith('parley: '),
    setupFiles: ['vitest.setup.ts'],
    // Many tests start programs. Node.js strips the types of their sources once, and not in each process.
    env: {
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compile'),
      ...(nodeArguments.length > 0 ? { NODE_OPTIONS: nodeArguments.join(' ') } : {}),
    },
    // These limits end only a test that hangs: a machine that is busy with other work takes a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One worker more than cores, because some tests wait for processes and servers. The main process is idle most of the time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // Files share a process and the modules that are loaded in it: loading them again for each file takes longer than the tests.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [tests], exclude: [...built, deepTests, postgresTests, ...processTests] },
      },
      {
        extends: true,
        test: {
          name: 'process',
          // Builds the page of the studio, which some of these tests serve.
          globalSetup: [studioPage],
          include: processTests,
          exclude: [...built, deepTests, postgresTests],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [postgresTests],
          exclude: [...built, deepTests],
          setupFiles: [dropDatabases],
          // Starts one real server, and only when one of these tests runs.
          globalSetup: [postgres],
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
      {
        extends: true,
        test: {
          name: 'deep',
          testTimeout: 600_000,
          hookTimeout: 600_000,
          include: [deepTests],
          exclude: built,
          setupFiles: [dropDatabases],
          globalSetup: [postgres, restate, studioPage],
        },
      },
    ],
  },
})
