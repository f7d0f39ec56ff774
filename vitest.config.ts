import { defineConfig } from 'vitest/config'

const tests = '{packages,apps,examples,tooling}/**/src/**/*.test.ts'

// Tests run against the sources of every workspace package: no build first.
const conditions = ['@parley/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [tests], exclude: ['**/node_modules/**', '**/dist/**'], testTimeout: 20_000 },
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
            exclude: ['**/node_modules/**', '**/dist/**'],
            tsconfig: './tsconfig.json',
          },
        },
      },
    ],
  },
})
