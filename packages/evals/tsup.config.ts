import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'recordings/index': 'src/recordings/index.ts',
    'matchers/index': 'src/matchers/index.ts',
    'matchers/vitest': 'src/matchers/vitest.ts',
    'backtest/index': 'src/backtest/index.ts',
    'crash-test/index': 'src/crash-test/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
