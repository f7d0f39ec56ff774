import { defineConfig } from 'tsup'

export default defineConfig({
  // The worker is a file of its own, because a thread is started from it by address.
  entry: { index: 'src/index.ts', 'append-worker': 'src/large-append/append-worker.ts' },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
  // Bundled, because Node takes ten times as long to load kysely from its many files. THIRD-PARTY-LICENSES.md has its license.
  noExternal: ['@parley/store-sql', 'kysely'],
  // Bundles the sources of store-sql, whose dist may be missing or old.
  esbuildOptions(options) {
    options.conditions = ['@parley/source']
  },
})
