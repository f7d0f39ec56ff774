import {
  createMemoryArtifacts,
  defineMiddleware,
  toolError,
  toolOk,
  checkNumber,
  type Middleware,
  type Tool,
  type ToolResultPart,
} from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import type { Artifact, ArtifactStore } from './artifact-store.ts'
import { preview } from './preview.ts'
import { readArtifactTool } from './read-artifact-tool.ts'

export interface OffloadOptions {
  /** @default in memory, 64 million characters */
  readonly store?: ArtifactStore | undefined
  /** Longer texts of a tool's result are set aside. @default 20_000 */
  readonly maxCharacters?: number | undefined
  /** Of the beginning and the end together, shown in place of such a text. @default 2_000 */
  readonly previewCharacters?: number | undefined
  /** Tools whose results stay as they are. @default none */
  readonly ignore?: readonly string[] | undefined
}

export interface Offload {
  readonly middleware: Middleware
  /** `read_artifact`: gives the model what was set aside, in pieces. The agent needs it among its tools. */
  readonly tool: Tool
}

/**
 * Keeps large tool results out of the conversation: the model is shown the beginning and the end, and reads the rest where
 * it needs it. Data beside such a text is dropped with it.
 */
export function createOffload(options: OffloadOptions = {}): Offload {
  const { store = createMemoryArtifacts(), maxCharacters = 20_000, previewCharacters = 2_000, ignore = [] } = options
  checkFields('offload', options, ['store', 'maxCharacters', 'previewCharacters', 'ignore'])
  checkNumber({ path: 'offload.maxCharacters', value: maxCharacters, whole: true })
  checkNumber({ path: 'offload.previewCharacters', value: previewCharacters, min: 0, whole: true })
  const tool = readArtifactTool({ store, maxCharacters })

  const middleware = defineMiddleware('offload', run => {
    async function shorten(part: ToolResultPart, from: Omit<Artifact, 'text'>): Promise<ToolResultPart> {
      if (part.type !== 'text' || part.text.length <= maxCharacters) return part
      const id = await store.put(run, { ...from, text: part.text })
      return { type: 'text', text: preview(part.text, { id, characters: previewCharacters, tool: tool.name }) }
    }
    return {
      async tool(call, next) {
        const outcome = await next(call)
        const { name } = call.tool
        if (outcome.type !== 'ok' && outcome.type !== 'error') return outcome
        if (name === tool.name || ignore.includes(name) || !isLarge(outcome.content, maxCharacters)) return outcome
        const from = { tool: name, callId: call.callId }
        const content = await Promise.all(outcome.content.map(part => shorten(part, from)))
        if (outcome.type === 'ok') return toolOk(content)
        const { error, retryable, metadata } = outcome
        return toolError(content, { error, retryable, metadata })
      },
    }
  })
  return { middleware, tool }
}

function isLarge(content: readonly ToolResultPart[], max: number): boolean {
  return content.some(part => part.type === 'text' && part.text.length > max)
}
