import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a worker of a folder into one file, which starts several times faster than its sources, and returns the path. */
export async function bundleWorker(name: string, folder = import.meta.url): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/${name}.mjs`, import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, folder))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    external: ['better-sqlite3', 'pg'],
    logLevel: 'error',
  })
  return outfile
}
