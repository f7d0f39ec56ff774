import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as root from './index.ts'
import * as node from './node/index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(root).sort()).toEqual([
    'createPrompty',
    'createSteering',
    'enrichModelInfo',
    'executeAgent',
    'loadPrompty',
    'messageInputOf',
    'parseMessages',
    'parsePrompty',
    'renderSegments',
    'renderTemplate',
    'toModelInfo',
    'validateInputs',
  ])
  expect(Object.keys(node).sort()).toEqual(['createNodeFiles', 'createPrompty', 'executeAgent', 'loadPrompty'])
})

/** Specifiers of imports and re-exports. */
const IMPORTS = /(?:^import\b[^']*|^export\b[^'=(]* from |\bimport\()'([^']+)'/gm

/** The packages that a file imports, directly and through other files of this package. */
function packagesOf(file: URL, seen = new Set<string>()): readonly string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const specifiers = readFileSync(file, 'utf8').matchAll(IMPORTS)
  return [...specifiers].flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? packagesOf(new URL(specifier, file), seen) : [specifier],
  )
}

it('only the entry ./node imports Node.js modules', () => {
  const entry = (path: string): URL => new URL(path, import.meta.url)
  const packages = ['@parley/core', '@parley/engine', '@parley/engine/journal', '@parley/yaml', 'yaml']
  expect([...new Set(packagesOf(entry('./index.ts')))].sort()).toEqual(packages)
  expect(packagesOf(entry('./node/index.ts'))).toContain('node:fs/promises')
})
