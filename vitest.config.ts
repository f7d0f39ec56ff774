import path from 'node:path'
import { defineConfig } from 'vitest/config'

const tests = '{packages,apps,docs,examples,tooling}/**/src/**/*.test.ts'
const postgresTests = '{packages,apps,examples,tooling}/**/src/**/*.postgres.test.ts'
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
    // A worker for each core, also on a machine with two. The default leaves one core to the main process, which is idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [tests],
          exclude: [...built, postgresTests],
          testTimeout: 20_000,
          // Files share a process and the modules that are loaded in it: loading them again for each file takes longer than the tests.
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
          // Starts one real server, and only when one of these tests runs.
          globalSetup: ['packages/stores/postgres/src/__fixtures__/postgres.setup.ts'],
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
            tsconfig: './tsconfig.json',
          },
        },
      },
    ],
  },
})
