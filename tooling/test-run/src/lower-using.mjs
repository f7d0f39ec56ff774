// Node.js 22 removes types from a source, but does not know `using`. Tests that run on it start their programs with this module.
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

registerHooks({
  load(url, context, nextLoad) {
    // Bundles of the sources are in folders named `.cache`.
    const isOwn = url.startsWith('file:') && (!url.includes('/node_modules/') || url.includes('/.cache/'))
    if (!isOwn || !/\.m?[jt]s$/.test(new URL(url).pathname)) return nextLoad(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    if (!/\busing \w/.test(source)) return nextLoad(url, context)
    const { transformSync } = require('esbuild')
    const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node22', sourcemap: 'inline' })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
