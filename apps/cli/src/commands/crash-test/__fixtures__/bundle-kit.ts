import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles a module of agents into a folder, because hundreds of processes load it. Returns its path. */
export async function bundleKit(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    logLevel: 'error',
  })
  return outfile
}
