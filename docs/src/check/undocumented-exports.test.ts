import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishedPackages } from '../published-packages.ts'
import { undocumentedExports } from './undocumented-exports.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENTED = /^packages\/(?:core|engine|testing|stores\/\w+)$/

it('every exported symbol of core, engine, testing and the stores has TSDoc', () => {
  const packages = publishedPackages(ROOT).filter(({ folder }) => DOCUMENTED.test(folder))
  expect(packages).toHaveLength(7)
  expect(
    undocumentedExports(
      ROOT,
      packages.flatMap(({ entries }) => Object.values(entries)),
    ),
  ).toEqual([])
})

it('undocumentedExports finds a symbol without a comment behind a re-export', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-tsdoc-'))
  writeFileSync(join(folder, 'a.ts'), '/** Adds. */\nexport const add = 1\nexport interface Plain {}\n')
  writeFileSync(join(folder, 'index.ts'), `export { add, type Plain } from './a.ts'\n`)
  expect(undocumentedExports(folder, ['index.ts'])).toEqual(['index.ts: Plain'])
  rmSync(folder, { recursive: true })
})
