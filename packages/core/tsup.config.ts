import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    schema: 'src/schema.ts',
    'context/index': 'src/context/index.ts',
    'json-schema/index': 'src/json-schema/index.ts',
  },
  format: ['esm'],
  // Stores and runs can be used with `await using`, which TypeScript's default library does not declare.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  target: 'node22.18',
  // Bundled, because zod occupies 7.5 MB and the schemas need 2 % of it. THIRD-PARTY-LICENSES.md has its license.
  noExternal: ['zod'],
  onSuccess: removeZodImports,
})

/** The declarations name nothing of zod, but their bundler keeps an empty import, which fails where zod is not installed. */
async function removeZodImports(): Promise<void> {
  const dist = join(import.meta.dirname, 'dist')
  for (const name of await readdir(dist)) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(dist, name)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/^import 'zod';\n/m, ''))
  }
}
