import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/host.ts', 'src/journal.ts'],
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
  // Bundled, so that users install fewer packages. THIRD-PARTY-LICENSES.md has their licenses.
  noExternal: ['jsonrepair', 'tokenx'],
})
