import {
  checkOptions,
  createMemoryArtifacts,
  defineMiddleware,
  toolError,
  toolOk,
  checkNumber,
  type Artifact,
  type ArtifactStore,
  type Middleware,
  type Tool,
  type ToolResultPart,
  type OptionKinds,
} from '@parley/core'
import { preview } from './preview.ts'
import { readArtifactTool } from './read-artifact-tool.ts'

export interface OffloadOptions {
  /** Where large texts are stored. @default createMemoryArtifacts(): in memory, up to 64 million characters */
  readonly store?: ArtifactStore | undefined
  /** Maximum length of a text in a tool's result. Longer texts are moved to the store. @default 20_000 */
  readonly maxCharacters?: number | undefined
  /** Number of characters that the model sees instead: half from the beginning, half from the end. @default 2_000 */
  readonly previewCharacters?: number | undefined
  /** Names of tools whose results are never moved. @default none */
  readonly ignore?: readonly string[] | undefined
}

/** The middleware and the tool that keep large results out of a conversation. */
export interface Offload {
  readonly middleware: Middleware
  /** The tool `read_artifact`, which returns offloaded texts in pieces. Add it to the agent's tools. */
  readonly tool: Tool
}

const OPTIONS: OptionKinds<OffloadOptions> = {
  store: 'object',
  maxCharacters: 'number',
  previewCharacters: 'number',
  ignore: 'strings',
}

/**
 * Keeps large tool results out of the conversation. The model sees the beginning and the end, and can read the rest
 * with a tool. Structured data of such a result is dropped.
 * @throws ParleyError `config-invalid` if an option is unknown or a number is invalid.
 */
export function createOffload(options: OffloadOptions = {}): Offload {
  checkOptions('offload', options, OPTIONS)
  const { store = createMemoryArtifacts(), maxCharacters = 20_000, previewCharacters = 2_000, ignore = [] } = options
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
