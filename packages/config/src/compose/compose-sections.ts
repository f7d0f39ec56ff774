import type { Middleware, Tool, ToolSource } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { AgentParts } from './compose-agents.ts'
import { composeParts, type PartMaker } from './compose-parts.ts'
import type { ConfigRegistry } from './config-registry.ts'
import type { MergedAgent } from './merge-profile.ts'
import type { MiddlewareParts, PartType } from './part-type.ts'

export interface SectionParts {
  readonly data: ConfigData
  readonly merged: ReadonlyMap<string, MergedAgent>
  readonly registry: ConfigRegistry
  readonly maker: PartMaker
  /** The tools of the MCP servers, by their names. */
  readonly sources: ReadonlyMap<string, ToolSource>
}

export interface ComposedSections {
  readonly parts: Pick<AgentParts, 'tools' | 'middleware' | 'inputFilters'>
  /** Returns the resources that middleware opened. The runtime closes them. */
  resources(): readonly AsyncDisposable[]
}

/** Makes the sections `toolsets`, `middleware` and `inputFilters`. */
export async function composeSections({
  data,
  merged,
  registry,
  maker,
  sources,
}: SectionParts): Promise<ComposedSections> {
  const opened: AsyncDisposable[] = []
  const usesOf = (field: 'tools' | 'middleware' | 'inputFilters') => namesOf(data, merged, field)
  for (const name of Object.keys(data.toolsets ?? {}))
    if (Object.hasOwn(data.mcpServers ?? {}, name))
      maker.reporter.report(['toolsets', name], "has the name of an MCP server in 'mcpServers'; rename one of them")
  const tools = await composeParts<readonly (Tool | ToolSource)[]>(
    {
      section: 'toolsets',
      what: 'tool',
      entries: data.toolsets,
      types: registry.toolsets,
      registered: new Map([...byName(registry.tools), ...sources].map(([name, tool]) => [name, [tool]])),
      uses: usesOf('tools'),
    },
    maker,
  )
  const middleware = await composeParts<MiddlewareParts>(
    {
      section: 'middleware',
      what: 'middleware',
      entries: data.middleware,
      types: mapTypes(registry.middlewareTypes, part => {
        opened.push(...(part.resources ?? []))
        return part
      }),
      registered: new Map(byName(registry.middleware).map(([name, each]) => [name, { middleware: each }])),
      uses: usesOf('middleware'),
    },
    maker,
  )
  const inputFilters = await composeParts(
    {
      section: 'inputFilters',
      what: 'input filter',
      entries: data.inputFilters,
      types: registry.inputFilterTypes,
      registered: new Map(byName(registry.inputFilters)),
      uses: usesOf('inputFilters'),
    },
    maker,
  )
  return { parts: { tools, middleware, inputFilters }, resources: () => opened }
}

function byName<TItem extends { readonly name: string }>(items: readonly TItem[] = []): readonly [string, TItem][] {
  return items.map(item => [item.name, item])
}

/** Every name that agents or the defaults use in a field, with the key of its first use. */
function namesOf(
  { defaults }: ConfigData,
  merged: ReadonlyMap<string, MergedAgent>,
  field: 'tools' | 'middleware' | 'inputFilters',
): ReadonlyMap<string, KeyPath> {
  const uses = new Map<string, KeyPath>()
  const add = (names: readonly string[] = [], key: KeyPath): void => {
    for (const [index, name] of names.entries()) if (!uses.has(name)) uses.set(name, [...key, index])
  }
  if (field === 'middleware') add(defaults?.middleware, ['defaults', field])
  for (const { data, keyOf } of merged.values()) add(data[field], keyOf(field))
  return uses
}

type AnyMiddlewareType = PartType<Middleware | MiddlewareParts>

/** Wraps the types of middleware, so that each makes `MiddlewareParts`, also a type that makes a middleware alone. */
function mapTypes(
  types: Readonly<Record<string, AnyMiddlewareType>> = {},
  seen: (part: MiddlewareParts) => MiddlewareParts,
): Readonly<Record<string, PartType<MiddlewareParts>>> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const make: PartType<MiddlewareParts>['make'] = async (...given) => {
        const made = await type.make(...given)
        return seen('middleware' in made ? made : { middleware: made })
      }
      return [name, { options: type.options, make }]
    }),
  )
}
