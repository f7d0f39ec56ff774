import { fileURLToPath, pathToFileURL } from 'node:url'
import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { findFactories, type Factory } from './__fixtures__/find-factories.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Functions that take options but do not check their names, with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  '@parley/core backoffMs': 'runs for each retry, and its callers check the policy',
  '@parley/core createChannel': 'runs for each reader of a run',
  '@parley/core toolAsk': 'runs in tool calls',
  '@parley/core toolError': 'runs in tool calls',
  '@parley/core toolHandoff': 'runs in tool calls',
  '@parley/core/context dropOldest': 'runs for each turn, and its callers check the options',
  '@parley/provider-kit checkVectors': 'runs for each answer',
  '@parley/provider-kit mergeFields': 'runs for each request',
}

/** Arguments in front of the options, for functions that read them first. */
const BEFORE: Readonly<Record<string, readonly unknown[]>> = {
  '@parley/mcp mcpTools': [{ name: 'files' }],
}

/** Fields without which a definition has no name to be found by. */
const NEEDED: Readonly<Record<string, object>> = {
  '@parley/engine defineAgent': { name: 'a' },
  '@parley/mcp openMcpServer': {},
}

const factories = findFactories(ROOT)
const checked = factories.filter(({ name }) => !Object.hasOwn(UNCHECKED, name))

async function call({ name, file, exportName, position }: Factory): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<
    string,
    (...given: unknown[]) => unknown
  >
  const before = BEFORE[name] ?? Array.from({ length: position }, () => undefined)
  return module[exportName]?.(...before, { ...NEEDED[name], misspelledOption: 1 })
}

it.each(checked.map(factory => [factory.name, factory] as const))(
  '%s rejects an unknown option by its name',
  async (_, factory) => {
    const error: unknown = await call(factory).catch((caught: unknown) => caught)
    expect(ParleyError.is(error, 'config-invalid'), `it answered ${String(error)}`).toBe(true)
    expect(String(error)).toMatch(/\bmisspelledOption: is an unknown option; /)
  },
)

it('every function that is left unchecked exists', () => {
  const names = factories.map(({ name }) => name)
  expect(Object.keys(UNCHECKED).filter(name => !names.includes(name))).toEqual([])
})
