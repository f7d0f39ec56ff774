import { join } from 'node:path'
import { writeDocsArchive } from '@parley/docs/docs-archive'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { bin: 'src/bin.ts', main: 'src/main.ts' },
  format: ['esm'],
  clean: true,
  target: 'node20',
  // The pages that `parley docs` reads.
  async onSuccess() {
    writeDocsArchive(join(import.meta.dirname, '../..'), join(import.meta.dirname, 'dist'))
  },
})
