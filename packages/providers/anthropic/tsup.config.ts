import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', bedrock: 'src/bedrock/index.ts', vertex: 'src/vertex/index.ts' },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
