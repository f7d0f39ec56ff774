import { describe, expect, it } from 'vitest'
import { manifest, repository } from './__fixtures__/repository.ts'
import { checkBoundaries } from './check-boundaries.ts'
import type { Exception } from './exceptions.ts'

const PACKAGES = {
  'packages/core/package.json': manifest('@parley/core', 'zod'),
  'packages/engine/package.json': manifest('@parley/engine', '@parley/core', 'zod'),
  'packages/mcp/package.json': manifest('@parley/mcp', '@parley/core', '@parley/engine', '@parley/openai', 'zod'),
  'packages/prompty/package.json': manifest('@parley/prompty', '@parley/core', '@parley/engine', '@parley/openai'),
  'packages/testing/package.json': manifest('@parley/testing', '@parley/core', '@parley/engine', '@parley/mcp'),
  'packages/providers/kit/package.json': manifest('@parley/provider-kit', '@parley/core'),
  'packages/providers/openai/package.json': manifest('@parley/openai', '@parley/core', '@parley/provider-kit'),
  'packages/stores/sql/package.json': manifest('@parley/store-sql', '@parley/core'),
  'packages/stores/sqlite/package.json': manifest('@parley/sqlite', '@parley/store-sql', '@parley/provider-kit'),
  'apps/cli/package.json': manifest('@parley/cli', '@parley/core', '@parley/openai', '@parley/prompty'),
  'apps/server/package.json': manifest('@parley/server'),
  'tooling/check/package.json': manifest('@parley/check', '@parley/core'),
}

/** `rule file:line` of each violation in the standard packages together with `files`. */
function breaches(files: Readonly<Record<string, string | object>>, exceptions: readonly Exception[] = []): string[] {
  using tree = repository({ ...PACKAGES, 'packages/testing/package.json': manifest('@parley/testing'), ...files })
  const { violations } = checkBoundaries({ root: tree.root, exceptions })
  return violations.map(({ rule, file, line }) => `${rule} ${file}:${line}`)
}

describe('checkBoundaries', () => {
  it('checkBoundaries accepts imports that follow the picture of the architecture', () => {
    expect(
      breaches({
        'packages/core/src/schema/a.ts': `import * as z from 'zod'\nexport const a = z.string()`,
        'packages/engine/src/a.ts': `import { a } from '@parley/core/extra'\nimport { b } from './b.ts'`,
        'packages/providers/openai/src/a.ts': `export { b } from '@parley/provider-kit'`,
        'packages/stores/sqlite/src/a.ts': `import { readFileSync } from 'node:fs'\nimport '@parley/store-sql'`,
        'packages/prompty/src/a.ts': `import type { a } from '@parley/engine'\nimport { b } from '@parley/core/many/b'`,
        'apps/cli/src/a.ts': `import '@parley/prompty'\nimport '@parley/openai'\nconst now = Date.now()`,
        'tooling/check/src/a.ts': `import '@parley/core'`,
      }),
    ).toEqual([])
  })

  it('checkBoundaries counts source files and packages, and skips dist and node_modules', () => {
    using tree = repository({
      ...PACKAGES,
      'packages/core/src/a.ts': '',
      'packages/core/dist/a.js': '',
      'packages/core/src/a.md': '',
      'packages/core/node_modules/x/a.js': '',
    })
    expect(checkBoundaries({ root: tree.root })).toMatchObject({ files: 1, packages: 12 })
  })

  it.each([
    ['core to the engine', 'packages/core', '@parley/engine'],
    ['the engine to a leaf', 'packages/engine', '@parley/mcp'],
    ['a leaf to the engine', 'packages/mcp', '@parley/engine'],
    ['a leaf to a leaf', 'packages/mcp', '@parley/openai'],
    ['a leaf to the kit of another family', 'packages/stores/sqlite', '@parley/provider-kit'],
    ['a feature to a provider', 'packages/prompty', '@parley/openai'],
    ['a package to an app', 'packages/prompty', '@parley/cli'],
    ['an app to an app', 'apps/server', '@parley/cli'],
    ['tooling to an app', 'tooling/check', '@parley/cli'],
    ['a package to tooling', 'packages/prompty', '@parley/check'],
    ['a source file to the testing package', 'packages/prompty', '@parley/testing'],
  ])('checkBoundaries reports an import from %s', (_, dir, name) => {
    const found = breaches({ [`${dir}/src/a.ts`]: `import '${name}'` })
    expect(found).toContain(`arrow ${dir}/src/a.ts:1`)
  })

  it.each([
    ['import type', `import type { a } from '@parley/engine'`],
    ['an import type node', `export type A = import('@parley/engine').A`],
    ['a dynamic import', `await import('@parley/engine')`],
    ['a template without holes', 'await import(`@parley/engine`)'],
    ['export from', `export { a } from '@parley/engine'`],
    ['import.meta.resolve', `import.meta.resolve('@parley/engine')`],
    ['require', `require('@parley/engine')`],
    ['import equals', `import a = require('@parley/engine')`],
  ])('checkBoundaries reads %s as an import', (_, line) => {
    expect(breaches({ 'packages/mcp/src/a.ts': `\n${line}` })).toEqual(['arrow packages/mcp/src/a.ts:2'])
  })

  it('checkBoundaries does not read comments and strings as imports', () => {
    const text = `// import '@parley/engine'\nexport const a = "import('@parley/engine')" + \`vi.mock()\``
    expect(breaches({ 'packages/mcp/src/a.ts': text })).toEqual([])
  })

  it('checkBoundaries lets tests import the engine and the testing package, but no other leaf', () => {
    const manifests = {
      'packages/mcp/package.json': {
        name: '@parley/mcp',
        dependencies: { '@parley/core': '*' },
        devDependencies: { '@parley/engine': '*', '@parley/testing': '*', '@parley/openai': '*' },
      },
    }
    const text = `import '@parley/engine'\nimport '@parley/testing'\nimport 'vitest'\nimport '@parley/openai'`
    expect(breaches({ ...manifests, 'packages/mcp/src/a.test.ts': text })).toEqual([
      'arrow packages/mcp/src/a.test.ts:4',
    ])
    expect(breaches({ ...manifests, 'packages/mcp/src/__fixtures__/a.ts': `import '@parley/engine'` })).toEqual([])
    expect(breaches({ ...manifests, 'packages/mcp/examples/a.example.ts': `import '@parley/engine'` })).toEqual([])
  })

  it('a feature and every test may import a part, but a leaf may not', () => {
    const part = { 'packages/event-bus/package.json': manifest('@parley/event-bus', '@parley/core') }
    const text = `import '@parley/event-bus'`
    const arrows = (path: string): string[] =>
      breaches({ ...part, [path]: text }).filter(each => each.startsWith('arrow'))
    expect(arrows('packages/prompty/src/a.ts')).toEqual([])
    expect(arrows('packages/engine/src/a.test.ts')).toEqual([])
    expect(arrows('packages/engine/src/a.ts')).toEqual(['arrow packages/engine/src/a.ts:1'])
    expect(arrows('packages/mcp/src/a.ts')).toEqual(['arrow packages/mcp/src/a.ts:1'])
  })

  it('checkBoundaries lets not even tests of core import another package', () => {
    const text = `import '@parley/engine'\nimport '@parley/testing'`
    expect(breaches({ 'packages/core/src/a.test.ts': text }).filter(each => each.startsWith('arrow'))).toEqual([
      'arrow packages/core/src/a.test.ts:1',
      'arrow packages/core/src/a.test.ts:2',
    ])
  })

  it('checkBoundaries lets only unpublished files import their own package by name', () => {
    expect(breaches({ 'packages/mcp/examples/a.example.ts': `import '@parley/mcp'` })).toEqual([])
    expect(breaches({ 'packages/mcp/src/a.ts': `import '@parley/mcp'` })).toEqual(['arrow packages/mcp/src/a.ts:1'])
  })

  it('checkBoundaries reports absolute paths, and accepts URLs and # names of the package', () => {
    const text = `import '/home/a.ts'\nimport 'file:///home/a.ts'\nimport 'data:text/javascript,'\nimport '#own'`
    expect(breaches({ 'packages/mcp/src/a.ts': text })).toEqual([
      'deep-import packages/mcp/src/a.ts:1',
      'deep-import packages/mcp/src/a.ts:2',
    ])
  })

  it('checkBoundaries reports subpaths that are not exported and relative paths that leave the package', () => {
    const text = `import '@parley/core/src/a.ts'\nimport '@parley/core/other'\nimport '../../core/src/a.ts'\nimport './b.ts'`
    expect(breaches({ 'packages/mcp/src/a.ts': text })).toEqual([
      'deep-import packages/mcp/src/a.ts:1',
      'deep-import packages/mcp/src/a.ts:2',
      'deep-import packages/mcp/src/a.ts:3',
    ])
  })

  it('checkBoundaries reports imports that the manifest does not declare, and devDependencies in published files', () => {
    const files = {
      'packages/mcp/package.json': { name: '@parley/mcp', devDependencies: { '@scope/dev': '1' } },
      'packages/mcp/src/a.ts': `import 'nowhere/deep'\nimport '@scope/dev/deep'\nimport 'vitest'`,
      'packages/mcp/src/a.test.ts': `import '@scope/dev'\nimport 'vitest'\nimport 'nowhere'`,
      'packages/mcp/tsup.config.ts': `import '@scope/dev'`,
    }
    expect(breaches(files)).toEqual([
      'undeclared packages/mcp/src/a.test.ts:3',
      'undeclared packages/mcp/src/a.ts:1',
      'undeclared packages/mcp/src/a.ts:2',
      'undeclared packages/mcp/src/a.ts:3',
    ])
  })

  it('checkBoundaries accepts a devDependency in published files if the build bundles it', () => {
    const files = {
      'packages/mcp/package.json': { name: '@parley/mcp', devDependencies: { bundled: '1', other: '1' } },
      'packages/mcp/tsup.config.ts': `export const a = {\n  noExternal: ['bundled', 'missing'],\n}`,
      'packages/mcp/src/a.ts': `import 'bundled'\nimport 'other'\nimport 'missing'`,
    }
    expect(breaches(files)).toEqual(['undeclared packages/mcp/src/a.ts:2', 'undeclared packages/mcp/src/a.ts:3'])
  })

  it('checkBoundaries accepts every devDependency of a web page that Vite builds', () => {
    const files = {
      'packages/mcp/package.json': { name: '@parley/mcp', devDependencies: { bundled: '1' } },
      'packages/mcp/vite.config.ts': '',
      'packages/mcp/src/a.tsx': `import 'bundled'\nimport 'missing'`,
    }
    expect(breaches(files)).toEqual(['undeclared packages/mcp/src/a.tsx:2'])
  })

  it('checkBoundaries reports the testing package as a run-time dependency', () => {
    const files = { 'packages/mcp/package.json': manifest('@parley/mcp', '@parley/testing') }
    expect(breaches(files)).toEqual(['testing-is-dev packages/mcp/package.json:9'])
  })

  it('checkBoundaries reports node builtins in packages that also run elsewhere', () => {
    const text = `import { readFileSync } from 'node:fs'\nimport 'path'`
    for (const dir of ['packages/core', 'packages/engine', 'packages/providers/openai']) {
      expect(breaches({ [`${dir}/src/a.ts`]: text, [`${dir}/src/a.test.ts`]: text })).toEqual([
        `node-builtin ${dir}/src/a.ts:1`,
        `node-builtin ${dir}/src/a.ts:2`,
      ])
    }
    expect(breaches({ 'packages/mcp/src/a.ts': text })).toEqual([])
  })

  it('checkBoundaries reports zod in the engine, and in core outside src/schema', () => {
    const text = `import type * as z from 'zod'`
    expect(breaches({ 'packages/core/src/a.ts': text, 'packages/engine/src/schema/a.ts': text })).toEqual([
      'zod packages/core/src/a.ts:1',
      'zod packages/engine/src/schema/a.ts:1',
    ])
    expect(breaches({ 'packages/mcp/src/a.ts': text })).toEqual([])
  })

  it('checkBoundaries reports an import of the zod schemas of core in the engine', () => {
    const text = `import { jsonSchema } from '@parley/core/schema'`
    expect(breaches({ 'packages/engine/src/a.ts': text })).toContain('zod packages/engine/src/a.ts:1')
    const others = breaches({ 'packages/engine/src/a.test.ts': text, 'packages/mcp/src/a.ts': text })
    expect(others.filter(found => found.startsWith('zod'))).toEqual([])
  })

  it('checkBoundaries reports vague file names', () => {
    const names = ['utils.ts', 'helpers.ts', 'common.ts', 'misc.ts', 'types.ts', 'util.test.ts', 'type-of.ts']
    const found = breaches(Object.fromEntries(names.map(name => [`packages/mcp/src/${name}`, ''])))
    expect(found.map(each => each.split('/').at(-1))).toEqual([
      'common.ts:1',
      'helpers.ts:1',
      'misc.ts:1',
      'types.ts:1',
      'util.test.ts:1',
      'utils.ts:1',
    ])
  })

  it('checkBoundaries reports export * and vi.mock everywhere', () => {
    const text = `export * from './b.ts'\nexport * as c from './c.ts'\nvi.mock('./b.ts')\nvi['doMock']('./b.ts')\nvi.fn()`
    expect(breaches({ 'packages/mcp/src/a.test.ts': text })).toEqual([
      'export-all packages/mcp/src/a.test.ts:1',
      'export-all packages/mcp/src/a.test.ts:2',
      'vi-mock packages/mcp/src/a.test.ts:3',
      'vi-mock packages/mcp/src/a.test.ts:4',
    ])
  })

  it('checkBoundaries reports ambient time, chance and environment, except as the default of an option', () => {
    const text = [
      `export const a = ({ now = Date.now, key = process.env['KEY'] ?? '' } = {}) => now() + key`,
      `export function b(random = () => Math.random()) { return random() }`,
      `export const c = Date.now()`,
      `export const d = () => globalThis.Math.random()`,
      `export const e = process['env'].KEY`,
      `export const f = (at = 1) => Date.now() - at`,
    ].join('\n')
    expect(breaches({ 'packages/mcp/src/a.ts': text, 'packages/mcp/src/a.test.ts': text })).toEqual([
      'ambient packages/mcp/src/a.ts:3',
      'ambient packages/mcp/src/a.ts:4',
      'ambient packages/mcp/src/a.ts:5',
      'ambient packages/mcp/src/a.ts:6',
    ])
  })

  it('checkBoundaries reports functions that V8 keeps alive, in sources of runs and requests', () => {
    const text = [
      `export const a = (x) => ({ get b() { return x } })`,
      `export const c = (o, x) => { o.f = () => x }`,
      `export const d = (o, x) => { o['f'] ??= (function () { return x }) }`,
      `export class E { f = () => 1; get g() { return 1 } }`,
      `export const h = (o, x) => { const f = () => x; o.f = f; let g; g = () => x; return { f: () => x, i() { return g } } }`,
    ].join('\n')
    expect(
      breaches({
        'packages/core/package.json': { name: '@parley/core' },
        'packages/core/src/a.ts': text,
        'packages/core/src/a.test.ts': text,
        'packages/mcp/src/a.ts': text,
      }),
    ).toEqual([
      'kept-alive packages/core/src/a.ts:1',
      'kept-alive packages/core/src/a.ts:2',
      'kept-alive packages/core/src/a.ts:3',
    ])
  })

  it('checkBoundaries reports a package that the picture of the architecture does not show', () => {
    expect(breaches({ 'packages/other/package.json': { name: '@parley/other' } })).toEqual([
      'place packages/other/package.json:1',
    ])
  })

  it('checkBoundaries applies an exception, and reports one that excuses nothing', () => {
    const exceptions = [{ rule: 'ambient' as const, file: 'packages/mcp/src/a.ts', reason: 'It is the clock.' }]
    expect(breaches({ 'packages/mcp/src/a.ts': 'export const a = Date.now()' }, exceptions)).toEqual([])
    expect(breaches({ 'packages/mcp/src/a.ts': '' }, exceptions)).toEqual(['exception packages/mcp/src/a.ts:1'])
  })
})
