import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    schema: 'src/schema.ts',
    'context/index': 'src/context/index.ts',
    'json-schema/index': 'src/json-schema/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
