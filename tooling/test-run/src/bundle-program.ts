import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { nativePackages } from './native-packages.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const FOLDER = path.join(import.meta.dirname, '../node_modules/.cache/programs')

/**
 * Bundles a program of a test with the sources of the packages that it imports, because Node.js loads one file several times faster.
 * @returns The path of the bundle. It belongs to this worker of the tests.
 */
export async function bundleProgram(program: URL): Promise<string> {
  const source = fileURLToPath(program)
  const name = path.relative(ROOT, source).replaceAll(path.sep, '-').replace(/\.ts$/, '')
  const outfile = path.join(FOLDER, `${name}-${process.env['VITEST_POOL_ID'] ?? '0'}.mjs`)
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    plugins: [nativePackages],
    // Some dependencies are CommonJS modules that require modules of Node.js.
    banner: {
      js: `import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);`,
    },
    logLevel: 'error',
  })
  return outfile
}
