import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { nativePackages } from '@parley-tooling/test-run/native-packages'
import { build } from 'esbuild'

const PACKAGES = path.join(import.meta.dirname, '../../../../packages')
const FOLDER = path.join(import.meta.dirname, `../../node_modules/.cache/packages-${process.env['VITEST_POOL_ID'] ?? '0'}`)

/** The packages that modules of the tests import. */
const SOURCES = {
  core: 'core/src/index.ts',
  engine: 'engine/src/index.ts',
  evals: 'evals/src/index.ts',
  sqlite: 'stores/sqlite/src/index.ts',
  testing: 'testing/src/index.ts',
}

let bundled: Promise<void> | undefined

/**
 * Puts the packages into the `node_modules` of a folder, so that modules there can import them. The packages are bundled once for
 * each worker of the tests, because Node.js takes much longer to load their sources than a command takes for the rest.
 */
export async function linkPackages(folder: string): Promise<void> {
  bundled ??= bundle()
  await bundled
  for (const name of Object.keys(SOURCES)) {
    const place = path.join(folder, 'node_modules/@parley', name)
    await mkdir(place, { recursive: true })
    const manifest = { name: `@parley/${name}`, type: 'module', exports: './index.js' }
    await writeFile(path.join(place, 'package.json'), JSON.stringify(manifest))
    const address = pathToFileURL(path.join(FOLDER, `${name}.js`)).href
    await writeFile(path.join(place, 'index.js'), `export * from '${address}'\n`)
  }
}

async function bundle(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(path.join(FOLDER, 'package.json'), '{ "type": "module" }')
  await build({
    entryPoints: Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [name, path.join(PACKAGES, source)])),
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    plugins: [nativePackages],
    logLevel: 'error',
  })
}
