import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    schema: 'src/schema.ts',
    'context/index': 'src/context/index.ts',
    'json-schema/index': 'src/json-schema/index.ts',
    'masking/index': 'src/masking/index.ts',
  },
  format: ['esm'],
  // Stores and runs can be used with `await using`, which TypeScript's default library does not declare.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  target: 'node22.18',
  // Bundled, because zod occupies 7.5 MB and the schemas need 2 % of it. THIRD-PARTY-LICENSES.md has its license.
  noExternal: ['zod'],
})
