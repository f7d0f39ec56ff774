import { defineTool, ParleyError, type JsonSchemaObject, type Store, type Tool, type ToolSource } from '@parley/core'
import * as z from 'zod'
import type { PartContext, ToolsetType } from '../compose/part-type.ts'
import { count, lasting, words } from '../schema/scalars.ts'
import { loadModule } from './load-module.ts'
import { loadPackage } from './load-package.ts'
import { openApiToolset } from './open-api-toolset.ts'
import { part } from './part.ts'
import { webToolset } from './web-toolset.ts'

const none = z.strictObject({})
const texts = z.array(words).optional()

const shellOptions = z.strictObject({
  policy: z.enum(['read-only', 'no-network', 'coder']).optional(),
  confirm: z.enum(['always', 'never']).optional(),
  passEnv: texts,
  setEnv: z.record(words, z.string()).optional(),
  timeoutMs: lasting.optional(),
  maxTimeoutMs: lasting.optional(),
  graceMs: lasting.optional(),
  maxOutputBytes: count.optional(),
})

const jsonSchema = z.record(z.string(), z.json()) as z.ZodType<JsonSchemaObject>

const clientOptions = z.strictObject({
  tools: z
    .array(
      z.strictObject({
        name: words,
        description: words,
        input: jsonSchema.default({ type: 'object' }),
        output: jsonSchema.optional(),
        timeoutMs: lasting.optional(),
      }),
    )
    .min(1),
})

/** Returns the toolsets of `@parley/tools`, one that imports a module, and one of tools that the client executes. Their packages are imported when a file uses them. */
export function toolsetTypes(
  store: Pick<Store, 'notes' | 'runs' | 'read'> | undefined,
): Readonly<Record<string, ToolsetType>> {
  return {
    math: part(none, async () => [(await tools(() => import('@parley/tools/math'))).calculator]),
    time: part(none, async () => (await tools(() => import('@parley/tools/time'))).createTimeTools()),
    text: part(none, async () => (await tools(() => import('@parley/tools/text'))).createTextTools()),
    context: part(none, async () => (await tools(() => import('@parley/tools/context'))).createContextTools()),
    memory: part(
      z.strictObject({ history: z.boolean().optional(), maxRuns: count.optional() }),
      async ({ history = false, maxRuns }) => {
        const memory = store?.notes
        if (memory === undefined) invalid('memory', 'requires a store with notes, such as SQLite or PostgreSQL')
        const { createMemoryTools } = await tools(() => import('@parley/tools/memory'))
        return createMemoryTools({ memory, maxRuns, ...(history ? { history: store } : {}) })
      },
    ),
    files: part(
      z.strictObject({ write: z.boolean().optional(), grepTimeLimitMs: lasting.optional() }),
      async (options, context) => {
        const { createFileTools } = await tools(() => import('@parley/tools/files'))
        return createFileTools({ ...options, workspace: await openWorkspace(context) })
      },
    ),
    shell: part(shellOptions, async (options, context) => {
      const { createShellTool } = await tools(() => import('@parley/tools/shell'))
      return [createShellTool({ ...options, workspace: await openWorkspace(context) })]
    }),
    client: part(clientOptions, async ({ tools: described }) => described.map(each => defineTool(each))),
    web: webToolset,
    openapi: openApiToolset,
    module: part(z.strictObject({ module: words }), async ({ module }, context) => {
      const found = [...new Set(Object.values(await loadModule(module, context)).flat())].filter(isTool).map(toTool)
      if (found.length === 0) invalid('module', `names '${module}', which must export at least one tool`)
      return found
    }),
  }
}

/** Imports a part of `@parley/tools`. */
function tools<TModule>(load: () => Promise<TModule>): Promise<TModule> {
  return loadPackage('@parley/tools', load)
}

async function openWorkspace({ workspace }: PartContext) {
  if (workspace === undefined) invalid('workspace', "requires the section 'workspace': { roots: [.] }")
  const { createWorkspace } = await tools(() => import('@parley/tools/workspace'))
  return createWorkspace(workspace)
}

function isTool(value: unknown): value is Tool | ToolSource {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false
  return 'tools' in value || ('description' in value && 'input' in value)
}

/** Makes a tool that the client executes from a description without `execute`. */
function toTool(found: Tool | ToolSource): Tool | ToolSource {
  return 'tools' in found || 'execute' in found ? found : defineTool(found)
}

function invalid(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
