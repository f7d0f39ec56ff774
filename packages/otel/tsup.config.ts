import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', 'otlp/index': 'src/otlp/index.ts' },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
