import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as root from './index.ts'
import * as node from './node/index.ts'

it('exports exactly this', () => {
  expect(Object.keys(root).sort()).toEqual([
    'createPrompty',
    'createSteering',
    'enrichModelInfo',
    'messageInputOf',
    'parseMessages',
    'parsePrompty',
    'renderSegments',
    'renderTemplate',
    'toModelInfo',
    'validateInputs',
  ])
  expect(Object.keys(node).sort()).toEqual(['createPrompty', 'nodeFiles'])
})

/** Where imports say what they load, at the beginning of a line or as a call. */
const IMPORTS = /(?:^import\b[^']*|^export\b[^'=(]* from |\bimport\()'([^']+)'/gm

/** Packages that what a file loads is made of, directly and through its own files. */
function packagesOf(file: URL, seen = new Set<string>()): readonly string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const specifiers = readFileSync(file, 'utf8').matchAll(IMPORTS)
  return [...specifiers].flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? packagesOf(new URL(specifier, file), seen) : [specifier],
  )
}

it('needs nothing of Node.js but on ./node', () => {
  const entry = (path: string): URL => new URL(path, import.meta.url)
  const packages = ['@parley/core', '@parley/engine', '@parley/yaml', 'yaml']
  expect([...new Set(packagesOf(entry('./index.ts')))].sort()).toEqual(packages)
  expect(packagesOf(entry('./node/index.ts'))).toContain('node:fs/promises')
})
