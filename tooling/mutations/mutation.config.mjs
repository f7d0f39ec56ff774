// The repository's vitest configuration, with one mutation in the sources that the tests import. No file is changed.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '../..')
const { default: repository } = await import(path.join(root, 'vitest.config.ts'))
const { PARLEY_MUTATION: text, PARLEY_MUTATION_SEEN: seen } = process.env
const mutation = text === undefined ? undefined : JSON.parse(text)

const mutate = {
  name: 'parley-mutation',
  enforce: 'pre',
  transform(code, id) {
    if (mutation === undefined || id.split('?')[0] !== path.join(root, mutation.file)) return undefined
    writeFileSync(seen, '')
    // A function, because `$&` in a replacement text has a meaning.
    return { code: code.replace(mutation.from, () => mutation.to), map: null }
  },
}

// Plugins of a configuration do not reach its projects, so this one is the projects `unit` and `process` itself.
const { projects, ...shared } = repository.test
const [unit, ofProcesses] = ['unit', 'process'].map(name => projects.find(({ test }) => test.name === name).test)

// Vite applies the plugin only to modules that it loads itself. Its cache of transformed modules knows nothing of the mutation.
const loading = { fsModuleCache: false, experimental: { viteModuleRunner: true } }
const include = [...unit.include, ...ofProcesses.include]
const test = { ...shared, ...unit, include, exclude: ofProcesses.exclude, ...loading }

export default defineConfig({ ...repository, root, plugins: [mutate], test })
