import { expect, it } from 'vitest'
import { manifest, repository } from './__fixtures__/repository.ts'
import { checkBoundaries } from './check-boundaries.ts'

const building = { dir: 'packages/engine', floors: { agent: 1, journal: 1, 'steps/*': 2, loop: 3 } }

/** `file:line` of each violation of a package whose sources are given by path below `src`. */
function check(texts: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(texts).map(([name, text]) => [`packages/engine/src/${name}`, text])
  using tree = repository({
    'packages/engine/package.json': manifest('@parley/engine'),
    ...(Object.fromEntries(files) as Record<string, string>),
  })
  const { violations } = checkBoundaries({ root: tree.root, building })
  return violations.map(({ rule, file, line }) => `${rule} ${file.replace('packages/engine/src/', '')}:${line}`)
}

/** Files that the imports of the cases lead to. */
const FILES = {
  'agent/agent.ts': '',
  'journal/journal.ts': '',
  'steps/model/step.ts': '',
  'steps/tools/step.ts': '',
  'loop/loop.ts': '',
  'index.ts': '',
}

it.each([
  ['a lower floor', 'loop/a.ts', '../agent/agent.ts'],
  ['a lower floor with a step folder', 'loop/a.ts', '../steps/model/step.ts'],
  ['its own folder', 'agent/a.ts', './agent.ts'],
  ['a folder below in its own folder', 'agent/a.ts', './inner/b.ts'],
  ['a folder above in its own folder', 'agent/inner/b.ts', '../agent.ts'],
  ['its own step folder', 'steps/model/inner/a.ts', '../step.ts'],
  ['any floor from an exported file', 'extra.ts', './loop/loop.ts'],
])('checkFloors accepts an import from %s', (_, from, specifier) => {
  expect(check({ ...FILES, 'agent/inner/b.ts': '', [from]: `import type { a } from '${specifier}'` })).toEqual([])
})

it.each([
  ['a higher floor', 'agent/a.ts', '../loop/loop.ts'],
  ['another folder of the same floor', 'journal/a.ts', '../agent/agent.ts'],
  ['another step folder', 'steps/tools/a.ts', '../model/step.ts'],
  ['an entry file', 'loop/a.ts', '../index.ts'],
])('checkFloors reports an import from %s, a type-only one too', (_, from, specifier) => {
  const texts = { ...FILES, [from]: `\nimport '${specifier}'\nimport type { a } from '${specifier}'` }
  expect(check(texts)).toEqual([`floor ${from}:2`, `floor ${from}:3`])
})

it('checkFloors names both folders and their floors', () => {
  using tree = repository({
    'packages/engine/package.json': manifest('@parley/engine'),
    'packages/engine/src/agent/a.ts': `import '../loop/b.ts'`,
    'packages/engine/src/loop/b.ts': '',
  })
  expect(checkBoundaries({ root: tree.root, building }).violations[0]?.message).toBe(
    'agent, floor 1 must not import packages/engine/src/loop/b.ts (loop, floor 3). An import points down, or stays in its folder.',
  )
})

it('checkFloors reports files in folders without a floor and root files that the manifest does not export', () => {
  const texts = { ...FILES, 'other/a.ts': '', 'steps/a.ts': '', 'run.ts': '', 'extra.ts': '' }
  expect(check(texts)).toEqual(['floor other/a.ts:1', 'floor run.ts:1', 'floor steps/a.ts:1'])
})

it('checkFloors ignores tests and fixtures', () => {
  const texts = { 'agent/a.test.ts': `import '../loop/loop.ts'`, 'other/__fixtures__/a.ts': '', 'b.test.ts': '' }
  expect(check({ ...FILES, ...texts })).toEqual([])
})
