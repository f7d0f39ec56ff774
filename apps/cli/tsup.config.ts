import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { bin: 'src/bin.ts', main: 'src/main.ts' },
  format: ['esm'],
  clean: true,
  target: 'node20',
})
