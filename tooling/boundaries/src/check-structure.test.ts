import { describe, expect, it } from 'vitest'
import { manifest, repository } from './__fixtures__/repository.ts'
import { checkBoundaries, type BoundariesOptions } from './check-boundaries.ts'
import type { Violation } from './violation.ts'

const MANIFESTS = {
  'packages/core/package.json': manifest('@parley/core'),
  'packages/mcp/package.json': manifest('@parley/mcp'),
}

type Options = Omit<BoundariesOptions, 'root'>

function check(files: Readonly<Record<string, string | object>>, options: Options = {}): readonly Violation[] {
  using tree = repository({ ...MANIFESTS, ...files })
  return checkBoundaries({ root: tree.root, ...options }).violations
}

/** `rule file:line` of each violation. */
function placesOf(violations: readonly Violation[]): readonly string[] {
  return violations.map(({ rule, file, line }) => `${rule} ${file}:${line}`)
}

/** Source texts in `packages/mcp/src`, by name. */
function sources(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`packages/mcp/src/${name}`, text]))
}

describe('cycle', () => {
  it('checkBoundaries reports two files that import each other, once, with the path of the cycle', () => {
    const violations = check(
      sources({
        'a.ts': `\nimport { b } from './b.ts'`,
        'b.ts': `import { a } from './a.ts'`,
        'c.ts': `import './a.ts'`,
      }),
    )
    expect(violations).toEqual([
      {
        rule: 'cycle',
        file: 'packages/mcp/src/a.ts',
        line: 2,
        message: expect.stringContaining(
          'packages/mcp/src/a.ts → packages/mcp/src/b.ts → packages/mcp/src/a.ts. Move',
        ) as string,
      },
    ])
  })

  it.each([
    ['a type-only import', `import type { A } from './a.ts'`],
    ['an import type node', `export type B = import('./a.ts').A`],
    ['a dynamic import', `await import('./a.ts')`],
    ['an export', `export { a } from './a.ts'`],
    ['a specifier that ends in .js', `import './a.js'`],
    ['a specifier without an ending', `import './a'`],
  ])('checkBoundaries counts %s as a part of a cycle', (_, line) => {
    const found = placesOf(check(sources({ 'a.ts': `import './b.ts'`, 'b.ts': line })))
    expect(found).toEqual(['cycle packages/mcp/src/a.ts:1'])
  })

  it('checkBoundaries names the shortest cycle first, then the other files of the same cycle', () => {
    const [violation, ...others] = check(
      sources({
        'a.ts': `import './b.ts'\nimport './d.ts'`,
        'b.ts': `import './c.ts'`,
        'c.ts': `import './a.ts'`,
        'd.ts': `import './a.ts'`,
      }),
    )
    expect(others).toEqual([])
    expect(violation).toMatchObject({ file: 'packages/mcp/src/a.ts', line: 2 })
    expect(violation?.message).toContain('src/a.ts → packages/mcp/src/d.ts → packages/mcp/src/a.ts.')
    expect(violation?.message).toContain('in the same cycle: packages/mcp/src/b.ts, packages/mcp/src/c.ts.')
  })

  it('checkBoundaries reports separate cycles separately, through folders and index files too', () => {
    const found = check(
      sources({
        'a/index.ts': `import '../b/b.ts'`,
        'b/b.ts': `import '../a'`,
        'c.ts': `import './c.ts'`,
        'd.ts': `import './a/index.ts'\nimport './c.ts'\nimport './missing.ts'`,
      }),
    )
    expect(placesOf(found)).toEqual(['cycle packages/mcp/src/a/index.ts:1', 'cycle packages/mcp/src/c.ts:1'])
  })

  it('checkBoundaries accepts a file that two others import, and cycles through tests and fixtures', () => {
    const texts = {
      'a.ts': `import './c.ts'`,
      'b.ts': `import './a.ts'\nimport './c.ts'`,
      'c.ts': '',
      'a.test.ts': `import './__fixtures__/d.ts'`,
      '__fixtures__/d.ts': `import '../a.ts'\nimport './e.ts'`,
      '__fixtures__/e.ts': `import './d.ts'`,
    }
    expect(check(sources(texts))).toEqual([])
  })
})

describe('room', () => {
  const files = (count: number, name: (index: number) => string): Readonly<Record<string, string>> =>
    sources(Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), ''])))

  it('checkBoundaries reports a folder with more than 25 source files', () => {
    const [violation, ...others] = check(files(26, index => `room/a${index}.ts`))
    expect(others).toEqual([])
    expect(violation).toMatchObject({ rule: 'room', file: 'packages/mcp/src/room', line: 1 })
    expect(violation?.message).toContain('26 source files')
  })

  it('checkBoundaries does not count tests, fixtures, index.ts and files in folders below', () => {
    const found = check({
      ...files(25, index => `room/a${index}.ts`),
      ...files(26, index => `room/a${index}.test.ts`),
      ...files(26, index => `room/__fixtures__/a${index}.ts`),
      ...files(25, index => `room/inner/a${index}.ts`),
      ...sources({ 'room/index.ts': '' }),
    })
    expect(found).toEqual([])
  })
})

describe('contract', () => {
  const contracts = { dir: 'packages/core', files: ['model.ts'] }
  const lines = (count: number): string => 'export {}\n'.repeat(count)

  it('checkBoundaries reports a contract of more than 60 lines at its first line too many', () => {
    const texts = { 'packages/core/src/model/model.ts': lines(61), 'packages/mcp/src/model.ts': lines(61) }
    expect(placesOf(check(texts, { contracts }))).toEqual(['contract packages/core/src/model/model.ts:61'])
  })

  it('checkBoundaries accepts a contract of 60 lines and longer files beside it', () => {
    const texts = { 'packages/core/src/model.ts': lines(60), 'packages/core/src/model-options.ts': lines(61) }
    expect(check(texts, { contracts })).toEqual([])
  })

  it('checkBoundaries reports a contract without a file', () => {
    expect(placesOf(check({ 'packages/core/src/model.test.ts': '' }, { contracts }))).toEqual([
      'contract packages/core/package.json:1',
    ])
  })
})

describe('class', () => {
  const classOf = (members: number, lines = members) =>
    `export class A {\n${Array.from({ length: members }, (_, index) => `  a${index} = 1`).join('\n')}${'\n'.repeat(lines - members)}\n}`

  it('checkBoundaries accepts a class of 20 members and 250 lines', () => {
    expect(check(sources({ 'a.ts': classOf(20), 'b.ts': classOf(1, 248) }))).toEqual([])
  })

  it('checkBoundaries reports a class of 21 members and a class of 251 lines', () => {
    const violations = check(sources({ 'a.ts': classOf(21), 'b.ts': `\n${classOf(1, 249)}` }))
    expect(placesOf(violations)).toEqual(['class packages/mcp/src/a.ts:1', 'class packages/mcp/src/b.ts:2'])
    expect(violations[0]?.message).toContain('A has 21 members')
  })
})
