import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { nativePackages } from '@parley-tooling/test-run/native-packages'
import { build } from 'esbuild'

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/examples', import.meta.url))

/** Files beside the modules that start a thread from them. */
const THREADS = {
  'grep-worker': 'packages/tools/src/files/grep-worker.ts',
  'append-worker': 'packages/stores/sqlite/src/large-append/append-worker.ts',
}

/**
 * Bundles the examples with the sources of the packages. Node.js resolves and compiles some hundred sources for an example, which
 * takes longer than the rest of its run.
 * @returns The path of each program. An example that starts programs or needs files beside its packages is not bundled.
 */
export async function bundleExamples(root: string, examples: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const bundled = examples.filter(
    example => !/import\.meta|child_process|@parley\/studio/.test(readFileSync(path.join(root, example), 'utf8')),
  )
  const names = new Map(bundled.map(example => [example, example.replaceAll('/', '-').replace(/\.ts$/, '')]))
  const sources = [...bundled.map(example => [names.get(example) ?? '', example] as const), ...Object.entries(THREADS)]
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(path.join(FOLDER, 'package.json'), '{ "type": "module" }')
  await build({
    entryPoints: Object.fromEntries(sources.map(([name, source]) => [name, path.join(root, source)])),
    outdir: FOLDER,
    bundle: true,
    splitting: true,
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
  return new Map(examples.map(example => [example, programOf(root, example, names.get(example))]))
}

function programOf(root: string, example: string, name: string | undefined): string {
  return name === undefined ? path.join(root, example) : path.join(FOLDER, `${name}.js`)
}
