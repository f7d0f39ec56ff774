import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nativePackages } from '@parley-tooling/test-run/native-packages'
import { build } from 'esbuild'

const SOURCES = path.join(import.meta.dirname, '../..')
/** Each worker of the tests has a folder of its own. Its path stays the same, so that Node.js finds the compiled modules again. */
const FOLDER = path.join(SOURCES, `node_modules/.cache/cli-${process.env['VITEST_POOL_ID'] ?? '0'}`)

let bundled: Promise<string> | undefined

/**
 * Bundles the sources of the command, once for each worker of the tests. The bundle starts in half the processor time of the
 * sources, and tests start several hundred processes.
 * @returns The path of the program.
 */
export function bundleCli(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    // The search tool starts its worker from a file beside its own.
    entryPoints: { bin: path.join(SOURCES, 'src/bin.ts'), 'grep-worker': path.join(SOURCES, '../../packages/tools/src/files/grep-worker.ts') },
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    plugins: [nativePackages],
    // Some dependencies are CommonJS modules that require modules of Node.js.
    banner: { js: `import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);` },
    logLevel: 'error',
  })
  await mkdir(FOLDER, { recursive: true })
  await replace(path.join(FOLDER, 'package.json'), '{ "type": "module" }')
  for (const { path: file, contents } of outputFiles) await replace(file, contents)
  return path.join(FOLDER, 'bin.js')
}

/** Another run of the tests may read the file at the same time. */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, contents)
  await rename(temporary, file)
}
