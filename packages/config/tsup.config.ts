import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', 'node/index': 'src/node/index.ts', 'standard/index': 'src/standard/index.ts' },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
  // Shared by config and prompty, and published by neither.
  noExternal: ['@parley/yaml'],
})
