import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ParleyError } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { afterAll, expect, it } from 'vitest'
import { findFactories, type Factory } from './__fixtures__/find-factories.ts'
import { findMisnamed } from './__fixtures__/find-misnamed.ts'
import { readPublicExports } from './__fixtures__/public-exports.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Functions that take options but do not check their names, with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  '@parley/core createChannel': 'runs for each reader of a run',
  '@parley/core toolAsk': 'runs in tool calls',
  '@parley/core toolError': 'runs in tool calls',
  '@parley/core toolHandoff': 'runs in tool calls',
  '@parley/core/context dropOldest': 'runs for each turn, and its callers check the options',
  '@parley/provider-kit checkVectors': 'runs for each answer',
  '@parley/provider-kit connectProvider': 'the factory of a provider checks its options, which are more than these',
  '@parley/provider-kit mergeFields': 'runs for each request',
}

/** Arguments in front of the options, for functions that read them first. */
const BEFORE: Readonly<Record<string, readonly unknown[]>> = {
  '@parley/mcp mcpTools': [{ name: 'files' }],
  '@parley/provider-kit createHttpModel': [{}],
}

/** Fields that say which other fields are known. */
const NEEDED: Readonly<Record<string, object>> = {
  '@parley/engine defineAgent': { name: 'a' },
  '@parley/mcp openMcpServer': { name: 'files', transport: 'stdio', command: 'files' },
}

/** Functions with a bare name, with the reason. */
const BARE: Readonly<Record<string, string>> = {
  '@parley/testing fakeClock': 'stands beside scriptedModel, which a field of an agent takes',
}

/** What the test makes of one program. Its types stand for those of core. */
const PROGRAM = `
  interface Middleware { begin(): void }
  interface CountingMiddleware extends Middleware { count(): number }
  interface Cache { get(key: string): string }
  interface Point { readonly x: number }
  export const slidingCache = (): Cache => ({ get: key => key })
  export async function cacheOf(): Promise<Cache> { return createCache() }
  export const caches = (): readonly Cache[] => []
  export const matcher = () => (text: string) => text.length > 0
  export const createCache = slidingCache
  export const withLog = (cache: Cache): Cache => cache
  export const counting = (): CountingMiddleware => ({ begin() {}, count: () => 0 })
  export const origin = (): Point => ({ x: 0 })
  export const words = (): Promise<Set<string>> => Promise.resolve(new Set())
  export class Fault extends Error {}
  export const fault = (): Fault => new Fault()
`

type Callable = (...given: unknown[]) => unknown
type Constructable = new (...given: unknown[]) => unknown
type Exported = Callable | Constructable

// The compiler needs seconds for all packages, so the tests of this file share its program.
const folder = mkdtempSync(join(tmpdir(), 'exports-'))
const file = join(folder, 'index.ts')
writeFileSync(file, PROGRAM)
const all = readPublicExports(ROOT, [{ name: 'program', file }])
afterAll(() => rmSync(folder, { recursive: true }))
const published = { ...all, exported: all.exported.filter(({ entry }) => entry.file !== file) }
const factories = findFactories(published)
const checked = factories.filter(({ name }) => !Object.hasOwn(UNCHECKED, name))

async function call({ name, file, exportName, position }: Factory): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<
    string,
    (...given: unknown[]) => unknown
  >
  const before = BEFORE[name] ?? Array.from({ length: position }, () => undefined)
  const given = { ...(position === 0 ? NEEDED[name] : {}), misspelledOption: 1 }
  const exported = module[exportName]
  if (exported === undefined) throw new Error(`${name} is not exported`)
  return isClass(exported) ? new exported(...before, given) : exported(...before, given)
}

it.each(checked.map(factory => [factory.name, factory] as const))(
  '%s rejects an unknown option by its name',
  async (_, factory) => {
    const error: unknown = await call(factory).catch((caught: unknown) => caught)
    expect(ParleyError.is(error, 'config-invalid'), `it answered ${String(error)}`).toBe(true)
    expect(String(error)).toMatch(/\bmisspelledOption: is an unknown option; /)
  },
)

it('the runtime, agents and toolsets are among the checked factories', () => {
  const names = checked.map(({ name }) => name)
  for (const name of ['createRuntime', 'agentTool']) expect(names).toContain(`@parley/engine ${name}`)
  expect(names.length).toBeGreaterThan(100)
})

it('defineAgent rejects an unknown field by its path', () => {
  expect(() => defineAgent({ name: 'a', misspelledOption: 1 } as never)).toThrow(
    'agents.a.misspelledOption: is an unknown option',
  )
})

it('every function that is left unchecked exists', () => {
  const names = factories.map(({ name }) => name)
  expect(Object.keys(UNCHECKED).filter(name => !names.includes(name))).toEqual([])
})

it('an exported function that returns a part begins with a verb, unless a field of an agent takes the part', () => {
  expect(published.exported.length).toBeGreaterThan(1_000)
  expect(findMisnamed(published).map(({ name }) => name)).toEqual(Object.keys(BARE))
})

it('a bare name of a part is found, also behind a promise, in a list, and of a function', () => {
  const own = { ...all, exported: all.exported.filter(({ entry }) => entry.file === file) }
  expect(findMisnamed(own).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'program cacheOf', returns: 'Cache' },
    { name: 'program caches', returns: 'Cache' },
    { name: 'program matcher', returns: '(text: string) => boolean' },
    { name: 'program slidingCache', returns: 'Cache' },
  ])
})

function isClass(exported: Exported): exported is Constructable {
  return /^class\b/.test(Function.prototype.toString.call(exported))
}

it('the main entry of the engine has at most 90 exports, because readers of journals and hosts have entries of their own', () => {
  const count = all.exported.filter(({ entry }) => entry.name === '@parley/engine').length
  expect(count).toBeGreaterThan(10)
  expect(count).toBeLessThanOrEqual(90)
})
