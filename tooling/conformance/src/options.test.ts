import { fileURLToPath, pathToFileURL } from 'node:url'
import { ParleyError } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { expect, it } from 'vitest'
import { findFactories, type Factory } from './__fixtures__/find-factories.ts'

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

type Callable = (...given: unknown[]) => unknown
type Constructable = new (...given: unknown[]) => unknown
type Exported = Callable | Constructable

const factories = findFactories(ROOT)
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

function isClass(exported: Exported): exported is Constructable {
  return /^class\b/.test(Function.prototype.toString.call(exported))
}
