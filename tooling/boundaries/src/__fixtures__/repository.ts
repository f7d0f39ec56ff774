import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A repository in a temporary folder. Disposing it deletes the folder. */
export interface Repository extends Disposable {
  readonly root: string
}

const PATTERNS = ['packages/*', 'packages/providers/*', 'packages/stores/*', 'packages/hosts/*', 'apps/*', 'tooling/*']

/** Writes the given files by path. A package.json can be an object. */
export function repository(files: Readonly<Record<string, string | object>>): Repository {
  const root = mkdtempSync(join(tmpdir(), 'parley-boundaries-'))
  const all = {
    'package.json': { devDependencies: { vitest: '1' } },
    'pnpm-workspace.yaml': `packages:\n${PATTERNS.map(pattern => `  - ${pattern}\n`).join('')}\ncatalog:\n  zod: ^4\n`,
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

/** Returns a manifest whose package exports its root, `./extra` and `./many/*`, and depends on the given names. */
export function manifest(name: string, ...dependencies: readonly string[]): object {
  const exports = { '.': './src/index.ts', './extra': './src/extra.ts', './many/*': './src/many/*.ts' }
  return { name, exports, dependencies: Object.fromEntries(dependencies.map(each => [each, '*'])) }
}
